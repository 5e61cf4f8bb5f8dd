import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, run } from 'graphile-worker'
import type { WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import type { Connection } from '../db/connection.ts'
import type { Log } from '../log/log.ts'
import { releaseJobs } from './release-jobs.ts'
import { acquireWorkerLock } from './worker-lock.ts'
import { protectOutcomes } from './protect-outcomes.ts'
import { QUEUE_SCHEMAS } from './queues.ts'
import type { QueueName } from './queues.ts'
import { createTasks } from './create-tasks.ts'
import type { JobBundles, Handlers } from './create-tasks.ts'

export interface Worker {
  /** Stops fetching jobs, waits up to `stopSeconds` for running jobs, and returns the others to the queue. */
  stop(): Promise<void>
}

/** A job that still runs after this time returns to the queue, as if this process had died, and is repeated. */
const STOP_SECONDS = 20

/** Delay before a new run replaces one that lost the database or that graphile-worker ended. */
const RESTART_MS = 1_000

export interface WorkerOptions {
  queue: QueueName
  handlers: Handlers
  pool: pg.Pool
  concurrency: number
  log: Log
  bundles?: JobBundles
  /**
   * Whether some jobs have keys. Their results are then recorded one by one, because a statement for several jobs could
   * deadlock with one that writes several of the same keys.
   */
  keyed?: boolean
  stopSeconds?: number
}

/**
 * Runs jobs until stopped. A failed job is retried with increasing delays, and is dead after its last attempt. Jobs
 * with unknown names stay in the queue, so that an older process does not drop jobs of a newer one.
 *
 * If the database connection is lost, a run with another worker id replaces the current one: a statement whose response
 * never arrived may have locked jobs for the old run, and only the end of that run releases them.
 */
export async function startWorker(connection: Connection, options: WorkerOptions): Promise<Worker> {
  const { log } = options
  // Shared by all runs, because running handlers of a replaced run count towards the concurrency.
  const tasks = createTasks(options)
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = once(signal, 'abort')
  const replaced = new Set<Promise<void>>()
  let current: Run | null = await startRun(connection, { ...options, tasks })
  const supervision = superviseRuns()

  async function superviseRuns(): Promise<void> {
    while (!signal.aborted) {
      await Promise.race([current?.ended, stopped])
      if (signal.aborted) break
      if (current) {
        log.warn({}, 'The worker lost its queue; replacing it')
        endInBackground(current)
      }
      current = null
      await wait(RESTART_MS, undefined, { signal }).catch(() => {})
      if (!signal.aborted) current = await startRun(connection, { ...options, tasks }).catch(logFailure)
    }
    await Promise.all([current?.stop(), ...replaced])
  }

  /** Handlers of the run may continue for a long time, and the next run must not wait for them. */
  function endInBackground(run: Run): void {
    const ending = run
      .stop()
      .catch((err: unknown) => log.warn({ err }, 'A replaced worker did not stop cleanly'))
      .finally(() => replaced.delete(ending))
    replaced.add(ending)
  }

  function logFailure(err: unknown): null {
    log.error({ err }, 'The worker could not start')
    return null
  }

  return {
    async stop() {
      stopping.abort()
      await supervision
    },
  }
}

/** A graphile-worker runner with its lock. */
interface Run {
  /** Resolves if the run has lost the database or has ended for another reason. The caller must then stop it. */
  ended: Promise<void>
  stop(): Promise<void>
}

async function startRun(
  connection: Connection,
  {
    queue,
    tasks,
    pool,
    concurrency,
    log,
    bundles,
    keyed = false,
    stopSeconds = STOP_SECONDS,
  }: WorkerOptions & { tasks: Handlers },
): Promise<Run> {
  const failed = Promise.withResolvers<void>()
  const events = new EventEmitter() as unknown as WorkerEvents
  const workerId = new Promise<string>((resolve) => {
    events.once('pool:create', ({ workerPool }) => resolve(workerPool.id))
  })
  events.on('job:success', ({ job }) => {
    // `createTasks` logs each handler of a bundle.
    if (bundles && job.task_identifier in bundles.handlersOf) return
    log.debug({ effect: job.task_identifier, ms: Date.now() - lockedAtMs(job), attempt: job.attempts }, 'Job completed')
  })
  events.on('job:error', ({ job, error }) => {
    log.warn({ effect: job.task_identifier, attempt: job.attempts, err: error }, 'Job failed')
  })
  events.on('job:failed', ({ job, error }) => {
    log.error({ effect: job.task_identifier, job: job.id, err: error }, 'Job is dead: no attempts left')
  })
  const runner = await run({
    pgPool: protectOutcomes(pool, { log, onFailure: failed.resolve }),
    noHandleSignals: true,
    taskList: tasks,
    events,
    logger: createQuietLogger(log),
    preset: {
      worker: {
        schema: QUEUE_SCHEMAS[queue],
        concurrentJobs: concurrency,
        // Commits notify the worker; polling is a fallback.
        pollInterval: 1_000,
        localQueue: { size: Math.max(100, concurrency * 2) },
        completeJobBatchDelay: keyed ? -1 : 0,
        failJobBatchDelay: keyed ? -1 : 0,
        gracefulShutdownAbortTimeout: stopSeconds * 1000,
      },
    },
  })
  const runnerEnded = runner.promise.catch(() => {})
  const workerLock = await acquireWorkerLock(connection, { queue, workerId: await workerId, log }).catch(
    (err: unknown) => {
      // Not awaited, because stopping takes long without a database.
      void runner.stop().catch(() => {})
      throw err
    },
  )
  return {
    ended: Promise.race([runnerEnded, failed.promise, workerLock.lost]),
    async stop() {
      try {
        await withTimeout(stopSeconds, runner.stop())
      } catch (err) {
        log.warn({ err }, 'The worker did not stop cleanly; its running jobs return to the queue')
        await releaseJobs(pool, { queue, workerIds: [await workerId] })
      } finally {
        await workerLock.stop()
      }
    },
  }
}

/** Returns when a job was locked, by the clock of the database, which is nearly that of this machine. */
function lockedAtMs(job: { locked_at: Date | null }): number {
  return job.locked_at?.getTime() ?? Date.now()
}

/** Logs only warnings and errors of graphile-worker, because each effect has its own log record. */
function createQuietLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    if (level === 'error') log.warn(meta?.error instanceof Error ? { err: meta.error } : {}, message)
    else if (level === 'warning') log.debug({}, message)
  })
}
