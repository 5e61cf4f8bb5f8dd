import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseUnreachable, isRetryableConflict } from '../db/connection.ts'
import type { Queryable } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import type { Log } from '../log/log.ts'
import { returnJobs } from './return-jobs.ts'
import type { ReturnedJob } from './return-jobs.ts'

/** How long an outcome waits for others, which are recorded with the same statement. */
const DELAY_MS = 10

/** More outcomes do not wait. */
const MAX_WAITING = 100

/** Delay before outcomes are recorded again. It varies by half, so that two statements do not collide again. */
const RETRY_MS = 200

const complete = statement<{ params: { workerId: string; ids: readonly string[] } }>(
  `delete from jobs where locked_by = $workerId and id = any($ids::bigint[]) /* worker */`,
)

export interface OutcomeRecorder {
  /** Deletes a job soon. */
  complete(id: string): void
  /** Returns a job to its queue soon. */
  return(job: ReturnedJob): void
  /** Resolves when all outcomes are recorded, however long the database is unreachable. */
  flush(): Promise<void>
}

/**
 * Creates a recorder of the outcomes of a worker's jobs. One statement records the outcomes of many jobs. It is executed
 * again until the database is reachable. `onRecorded` receives the ids. `onFailure`: an outcome cannot be recorded at all,
 * so that its jobs are still locked.
 */
export function createOutcomeRecorder(
  db: Queryable,
  {
    workerId,
    log,
    onRecorded,
    onFailure,
  }: { workerId: string; log: Log; onRecorded(ids: readonly string[]): void; onFailure(): void },
): OutcomeRecorder {
  let completed: string[] = []
  let returned: ReturnedJob[] = []
  let timer: NodeJS.Timeout | undefined
  let recording: Promise<void> = Promise.resolve()

  const add = () => {
    if (completed.length + returned.length >= MAX_WAITING) void flush()
    else timer ??= setTimeout(() => void flush(), DELAY_MS)
  }

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    recording = recording.then(record)
    return recording
  }

  async function record(): Promise<void> {
    const ids = completed
    const jobs = returned
    completed = []
    returned = []
    if (ids.length > 0) await repeat(async () => complete(db, { workerId, ids }))
    if (jobs.length > 0) await repeat(async () => returnJobs(db, { workerId, jobs }))
    onRecorded([...ids, ...jobs.map(({ id }) => id)])
  }

  async function repeat(work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await work()
        return
      } catch (err) {
        if (!isRetryableConflict(err) && !isDatabaseUnreachable(err)) {
          onFailure()
          log.error({ err }, 'The outcome of jobs could not be recorded')
          return
        }
        await wait(RETRY_MS * (0.5 + Math.random()))
      }
    }
  }

  return {
    complete(id) {
      completed.push(id)
      add()
    },
    return(job) {
      returned.push(job)
      add()
    },
    flush,
  }
}
