import { EventEmitter } from 'node:events'
import { Logger, run } from 'graphile-worker'
import type { TaskList, WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { within } from '../../lib/within.ts'
import type { Connection } from '../db/connect.ts'
import type { Log } from '../log.ts'
import { giveBackJobs } from './give-back.ts'
import { keepAlive } from './liveness.ts'

export type Handlers = Record<string, (payload: unknown) => Promise<void>>

export interface Worker {
  /** Takes no new jobs, finishes those that run if they don't take long, and returns the rest to the queue. */
  stop(): Promise<void>
}

/** A job that still runs then is given back, as if this process had died: another one begins it anew. */
const STOP_SECONDS = 20

/**
 * Runs jobs until stopped: each handler alone, retried alone with growing pauses, dead after its tries. Jobs with a
 * name that no handler has stay in the queue, so an older process never drops what a newer one wrote.
 */
export async function startWorker(
  connection: Connection,
  {
    handlers,
    pool,
    concurrency,
    log,
    stopSeconds = STOP_SECONDS,
  }: { handlers: Handlers; pool: pg.Pool; concurrency: number; log: Log; stopSeconds?: number },
): Promise<Worker> {
  const events = new EventEmitter() as unknown as WorkerEvents
  const workerId = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id))
  })
  events.on('job:success', ({ job }) => {
    log.info({ effect: job.task_identifier, ms: Date.now() - started(job), attempt: job.attempts }, 'effect done')
  })
  events.on('job:error', ({ job, error }) => {
    log.warn({ effect: job.task_identifier, attempt: job.attempts, err: error }, 'effect failed')
  })
  events.on('job:failed', ({ job, error }) => {
    log.error({ effect: job.task_identifier, job: job.id, err: error }, 'effect is dead: it used up its tries')
  })
  const runner = await run({
    pgPool: pool,
    noHandleSignals: true,
    taskList: Object.fromEntries(
      Object.entries(handlers).map(([name, handle]) => [name, (payload: unknown) => handle(payload)]),
    ) as TaskList,
    events,
    logger: quietLogger(log),
    preset: {
      worker: {
        concurrentJobs: concurrency,
        // The notification of a commit wakes the queue; polling is the net below it.
        pollInterval: 1_000,
        localQueue: { size: Math.max(100, concurrency * 2) },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        gracefulShutdownAbortTimeout: stopSeconds * 1000,
      },
    },
  })
  const liveness = await keepAlive(connection, { workerId: await workerId, log })
  return {
    async stop() {
      try {
        await within(stopSeconds, runner.stop())
      } catch (err) {
        log.warn({ err }, 'the worker did not stop cleanly: what it still does goes back to the queue')
        await giveBackJobs(pool, { workerIds: [await workerId] })
      } finally {
        await liveness.stop()
      }
    },
  }
}

/** When a job was taken: its lock's time is the database's, which is this machine's or close to it. */
function started(job: { locked_at: Date | null }): number {
  return job.locked_at?.getTime() ?? Date.now()
}

/** The library tells a lot; only what goes wrong is worth a line, since each effect has its own. */
function quietLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level === 'error') log.warn(meta?.error instanceof Error ? { err: meta.error } : {}, message)
    else if (level === 'warning') log.debug({}, message)
  })
}
