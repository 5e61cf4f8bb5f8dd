import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log/log.ts'
import { createDb, createPool } from './connection.ts'
import type { Connection, Db } from './connection.ts'
import { statement } from './statement.ts'

/** How long a successful or failed check is valid: reads from the replica are at most about this old. */
const CHECK_INTERVAL_MS = 1_000

/** How long a check waits for the replica to replay what the primary has written. */
const CATCH_UP_MS = 250
const POLL_MS = 25

const findPosition = statement<{ row: { lsn: string } }>(`select coalesce(pg_current_wal_flush_lsn()::text, '') as lsn`)
const findReplay = statement<{ params: { lsn: string }; row: { hasReplayed: boolean } }>(
  `select coalesce(pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $lsn::text::pg_lsn, false) as "hasReplayed"`,
)
const findSystem = statement<{ row: { system: string } }>(
  `select coalesce(system_identifier::text, '') as system from pg_control_system()`,
)

/** A streaming replica of the database, which may be behind it. */
export interface Replica {
  readonly db: Db
  /** Returns whether the replica has all that was committed about a second ago. */
  isRecent(): Promise<boolean>
  close(): Promise<void>
}

/** Opens a replica. It need not be reachable, now or later. */
export function openReplica(
  connection: Connection,
  {
    primary,
    max,
    log,
    checkIntervalMs = CHECK_INTERVAL_MS,
  }: { primary: Db; max: number; log: Log; checkIntervalMs?: number },
): Replica {
  const pool = createPool(connection, {
    max,
    onError: (err) => log.debug({ err }, 'A connection to the replica was lost'),
  })
  const db = createDb(pool)
  let last: { at: number; isRecent: Promise<boolean> } | null = null
  let wasRecent = true

  async function check(): Promise<boolean> {
    let isRecent = false
    let problem: unknown
    try {
      isRecent = (await isSameSystem(primary, db)) && (await hasCaughtUp(primary, db))
    } catch (err) {
      problem = err
    }
    if (isRecent !== wasRecent) {
      if (isRecent) log.info({}, 'The replica is used again')
      else log.warn({ err: problem }, 'The replica is unreachable, behind, or no replica; the primary is used instead')
      wasRecent = isRecent
    }
    return isRecent
  }

  return {
    db,
    async isRecent() {
      if (last === null || performance.now() - last.at >= checkIntervalMs)
        last = { at: performance.now(), isRecent: check() }
      return last.isRecent
    },
    close: () => pool.end(),
  }
}

/** A replica has the system identifier of its primary, and another PostgreSQL server has not. */
async function isSameSystem(primary: Db, replica: Db): Promise<boolean> {
  const [[expected], [found]] = await Promise.all([findSystem(primary), findSystem(replica)])
  return expected !== undefined && expected.system === found?.system
}

async function hasCaughtUp(primary: Db, replica: Db): Promise<boolean> {
  const [position] = await findPosition(primary)
  if (!position) return false
  const deadline = performance.now() + CATCH_UP_MS
  for (;;) {
    const [row] = await findReplay(replica, position)
    if (row?.hasReplayed) return true
    if (performance.now() > deadline) return false
    await wait(POLL_MS)
  }
}
