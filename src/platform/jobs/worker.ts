import { EventEmitter, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, run } from 'graphile-worker'
import type { WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { within } from '../../lib/within.ts'
import type { Connection } from '../db/connect.ts'
import type { Log } from '../log.ts'
import { giveBackJobs } from './give-back.ts'
import { keepAlive } from './liveness.ts'
import { protectOutcomes } from './protect-outcomes.ts'
import { SCHEMAS } from './queues.ts'
import type { QueueName } from './queues.ts'
import { createTasks } from './tasks.ts'
import type { Bundles, Handlers } from './tasks.ts'

export interface Worker {
  /** Takes no new jobs, finishes those that run if they don't take long, and returns the rest to the queue. */
  stop(): Promise<void>
}

/** A job that still runs then is given back, as if this process had died: another one begins it anew. */
const STOP_SECONDS = 20

/** Pause before another run begins, after one that lost the database or that the library ended. */
const RESTART_MS = 1_000

export interface WorkerOptions {
  queue: QueueName
  handlers: Handlers
  pool: pg.Pool
  concurrency: number
  log: Log
  bundles?: Bundles
  /**
   * Some of the jobs have keys. Then each is taken from the queue by itself: a statement that takes several would wait
   * for one that writes several of the same keys, and that one for it.
   */
  keyed?: boolean
  stopSeconds?: number
}

/**
 * Runs jobs until stopped: each is retried alone with growing pauses, and dead after its tries. Jobs with a name that is
 * not known stay in the queue, so an older process never drops what a newer one wrote.
 *
 * When the database is lost, the run is replaced by one under another id: jobs may have been locked for the old one by
 * a statement whose answer never arrived, and only a run that has ended gives those back.
 */
export async function startWorker(connection: Connection, options: WorkerOptions): Promise<Worker> {
  const { log } = options
  // Shared by all runs: handlers of one that was replaced still count.
  const tasks = createTasks(options)
  const stopping = new AbortController()
  const { signal } = stopping
  const stopped = once(signal, 'abort')
  const replaced = new Set<Promise<void>>()
  let current: Run | null = await startRun(connection, { ...options, tasks })
  const watching = watch()

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await Promise.race([current?.ended, stopped])
      if (signal.aborted) break
      if (current) {
        log.warn({}, 'worker lost its queue; replacing it')
        endInBackground(current)
      }
      current = null
      await wait(RESTART_MS, undefined, { signal }).catch(() => {})
      if (!signal.aborted) current = await startRun(connection, { ...options, tasks }).catch(noteFailure)
    }
    await Promise.all([current?.stop(), ...replaced])
  }

  /** Its handlers may go on for long, and the next run must not wait for them. */
  function endInBackground(run: Run): void {
    const ending = run
      .stop()
      .catch((err: unknown) => log.warn({ err }, 'replaced worker did not stop cleanly'))
      .finally(() => replaced.delete(ending))
    replaced.add(ending)
  }

  function noteFailure(err: unknown): null {
    log.error({ err }, 'worker could not start')
    return null
  }

  return {
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

/** What works off jobs until it is stopped, or until it fails. */
interface Run {
  /** Resolves when the run has lost the database, or has ended for any other reason. It must then be stopped. */
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
    // Each handler of a bundle has told of itself.
    if (bundles && job.task_identifier in bundles.handlersOf) return
    log.debug({ effect: job.task_identifier, ms: Date.now() - started(job), attempt: job.attempts }, 'effect done')
  })
  events.on('job:error', ({ job, error }) => {
    log.warn({ effect: job.task_identifier, attempt: job.attempts, err: error }, 'effect failed')
  })
  events.on('job:failed', ({ job, error }) => {
    log.error({ effect: job.task_identifier, job: job.id, err: error }, 'effect is dead: no attempts left')
  })
  const runner = await run({
    pgPool: protectOutcomes(pool, { log, onFailure: failed.resolve }),
    noHandleSignals: true,
    taskList: tasks,
    events,
    logger: quietLogger(log),
    preset: {
      worker: {
        schema: SCHEMAS[queue],
        concurrentJobs: concurrency,
        // The notification of a commit wakes the queue; polling is the net below it.
        pollInterval: 1_000,
        localQueue: { size: Math.max(100, concurrency * 2) },
        completeJobBatchDelay: keyed ? -1 : 0,
        failJobBatchDelay: keyed ? -1 : 0,
        gracefulShutdownAbortTimeout: stopSeconds * 1000,
      },
    },
  })
  const over = runner.promise.catch(() => {})
  const liveness = await keepAlive(connection, { queue, workerId: await workerId, log }).catch((err: unknown) => {
    // Not awaited: without a database, ending takes long.
    void runner.stop().catch(() => {})
    throw err
  })
  return {
    ended: Promise.race([over, failed.promise, liveness.lost]),
    async stop() {
      try {
        await within(stopSeconds, runner.stop())
      } catch (err) {
        log.warn({ err }, 'worker did not stop cleanly; its running jobs return to the queue')
        await giveBackJobs(pool, { queue, workerIds: [await workerId] })
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
