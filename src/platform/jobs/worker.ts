import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { createDb } from '../db/connection.ts'
import type { Connection } from '../db/connection.ts'
import type { Log } from '../log/log.ts'
import type { JobSignals } from './job-signals.ts'
import { startQueueWorker } from './queue-worker.ts'
import type { QueueOptions } from './queue-worker.ts'
import type { QueueName } from './queues.ts'
import { acquireWorkerLock } from './worker-lock.ts'

export interface Worker {
  /** Stops fetching jobs, waits up to `stopSeconds` for running jobs, and returns the others to their queues. */
  stop(): Promise<void>
}

/** A job that still runs after this time returns to the queue, as if this process had died, and is repeated. */
const STOP_SECONDS = 20

/**
 * Runs the jobs of some queues until stopped. A failed job is retried with increasing delays, and is dead after its
 * last attempt, or after one that throws a `PermanentError`. Jobs with unknown names stay in the queue, so that an older
 * process does not drop jobs of a newer one.
 */
export async function startQueueWorkers(
  connection: Connection,
  {
    queues,
    pool,
    signals,
    log,
    stopSeconds = STOP_SECONDS,
  }: {
    queues: Partial<Record<QueueName, QueueOptions>>
    pool: pg.Pool
    signals: JobSignals
    log: Log
    stopSeconds?: number
  },
): Promise<Worker> {
  const workerId = `worker ${randomUUID()}`
  const lock = await acquireWorkerLock(connection, { workerId, log })
  const db = createDb(pool)
  const workers = (Object.entries(queues) as [QueueName, QueueOptions][]).map(([queue, options]) =>
    startQueueWorker(db, { ...options, queue, workerId, lock, signals, log, stopSeconds }),
  )
  return {
    async stop() {
      try {
        await Promise.all(workers.map((worker) => worker.stop()))
      } finally {
        await lock.stop()
      }
    },
  }
}
