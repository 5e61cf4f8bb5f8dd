import type { Log } from '../log/log.ts'
import { reportFirstFailure } from '../log/report-first-failure.ts'
import type { Db } from './connection.ts'
import { statement } from './statement.ts'

/** How often a process compares its clock with that of the database. */
const CHECK_INTERVAL_MS = 10_000

/** A smaller difference is ignored: synchronised clocks differ, too. */
const TOLERANCE_MS = 50

/** A greater difference is logged. */
const MAX_UNREPORTED_MS = 5_000

const readClock = statement<{ row: { at: number } }>(
  `select (extract(epoch from clock_timestamp()) * 1000)::double precision as at`,
)

/** The time of all processes that use a database. */
export interface DatabaseClock {
  now(): Date
  stop(): void
}

/**
 * Opens a clock that shows the time of the database: the system clock, corrected by the difference between the two.
 * Several machines then agree on what is later and what has expired, even if their system clocks differ. `systemNow`:
 * the system clock, in milliseconds since 1970.
 */
export async function openDatabaseClock(
  db: Db,
  { log, systemNow = Date.now }: { log: Log; systemNow?: (() => number) | undefined },
): Promise<DatabaseClock> {
  let offsetMs = 0
  let isReported = false

  const check = async () => {
    const before = systemNow()
    const [row] = await readClock(db)
    const after = systemNow()
    // The database read its clock at some time between the two, so a slow response proves less than a fast one.
    const [least, greatest] = [row!.at - after - TOLERANCE_MS, row!.at - before + TOLERANCE_MS]
    const isPossible = (ms: number) => least <= ms && ms <= greatest
    if (isPossible(0)) offsetMs = 0
    else if (!isPossible(offsetMs)) offsetMs = Math.round((least + greatest) / 2)
    report()
  }

  const report = () => {
    const isGreat = Math.abs(offsetMs) > MAX_UNREPORTED_MS
    if (isGreat === isReported) return
    isReported = isGreat
    if (!isGreat) log.info({}, 'The system clock agrees with the clock of the database again')
    else {
      const seconds = Math.round(offsetMs / 1_000)
      log.warn(
        { seconds },
        `The clock of the database is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the system clock. Linnet uses the time of the database; synchronise both clocks`,
      )
    }
  }

  // Processes without requests and jobs also notice and report an outage.
  const outage = reportFirstFailure(log, 'The database does not respond', { recovery: 'The database responds again' })
  // Without a response, the known difference remains.
  let isStopped = false
  const checkSafely = async () => check().then(outage.succeeded, (err: unknown) => isStopped || outage.failed(err))
  await checkSafely()
  const timer = setInterval(() => void checkSafely(), CHECK_INTERVAL_MS).unref()
  return {
    now: () => new Date(systemNow() + offsetMs),
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}
