import type { OpenedApp } from './app.ts'
import type { Ctx } from './domain/context.ts'
import type { BatchedEffect } from './effects/effect-table.ts'
import { effects } from './effects.ts'
import { isReceivingBurst } from './federation/inbox/receive/store-activity.ts'
import { effectBatches, postponedJob, queueOf, retryJob } from './jobs.ts'
import type { Handler, JobBundles } from './platform/jobs/create-job-runner.ts'
import { enqueueJobs } from './platform/jobs/job-queue.ts'
import { PostponedError } from './platform/jobs/postponed-error.ts'
import type { QueueName } from './platform/jobs/queues.ts'
import type { Worker } from './platform/jobs/worker.ts'
import { createOutageReport } from './platform/log/create-outage-report.ts'

/** How many jobs of a queue are fetched with one statement. */
const BATCH_SIZE = 100

/** One statement at a time for each queue but `media`, which rarely has jobs, and one that records outcomes. */
const QUEUE_CONNECTIONS = 4

type AnyEffect = ((ctx: Ctx, payload: unknown) => Promise<void>) & Partial<Pick<BatchedEffect<unknown>, 'runBatch'>>

/**
 * Starts the workers of all queues with the effects table. The modules are imported here, so that commands start
 * without them.
 */
export async function startWorkers({ ctx, connection, jobSignals }: OpenedApp): Promise<Worker> {
  const [{ startQueueWorkers }, { createQueuePool }] = await Promise.all([
    import('./platform/jobs/worker.ts'),
    import('./platform/jobs/create-queue-pool.ts'),
  ])
  const { log, config } = ctx
  const handlers: Record<QueueName, Record<string, Handler>> = { default: {}, network: {}, ingress: {}, media: {} }
  for (const [name, effect] of Object.values(effects).flatMap((row) => Object.entries(row))) {
    const handler = createHandler(ctx, name, effect as AnyEffect)
    handlers[queueOf(name)][name] ??= handler
    // Earlier versions had no queue `ingress`, and the first ones a single queue.
    if (queueOf(name) === 'ingress') handlers.network[name] ??= handler
    handlers.default[name] ??= handler
  }
  const bundles: JobBundles = {
    handlersOf: effectBatches,
    async retrySeparately(failures) {
      const jobs = failures.map(({ handler, payload }) => retryJob(handler, payload))
      await enqueueJobs(ctx.db, jobs)
      jobSignals.wake(jobs)
    },
  }
  let stopping = false
  const reportLoss = createOutageReport(log, 'A queue connection was lost')
  const pool = createQueuePool(connection, {
    max: QUEUE_CONNECTIONS,
    // `pool.end` does not wait for its connections, and the database may stop before they are closed.
    onError: (err) => stopping || reportLoss({ err }),
  })
  const worker = await startQueueWorkers(connection, {
    pool,
    signals: jobSignals,
    log,
    queues: {
      default: { handlers: handlers.default, bundles, concurrency: config.workerConcurrency, batchSize: BATCH_SIZE },
      network: { handlers: handlers.network, concurrency: config.networkConcurrency, batchSize: BATCH_SIZE },
      // A burst is accepted first and processed later, so that its senders do not wait.
      ingress: {
        handlers: handlers.ingress,
        concurrency: config.networkConcurrency,
        batchSize: BATCH_SIZE,
        isSlowedDown: () => isReceivingBurst(ctx),
      },
      // A conversion takes minutes, so other processes can fetch the next one.
      media: { handlers: handlers.media, concurrency: 1, batchSize: 1 },
    },
  })
  return {
    async stop() {
      await worker.stop()
      stopping = true
      await pool.end()
    },
  }
}

/** Returns the handler of an effect. It enqueues the job of a postponed effect again. */
function createHandler(ctx: Ctx, name: string, effect: AnyEffect): Handler {
  const run = async (payload: unknown) => {
    try {
      await effect(ctx, payload)
    } catch (err) {
      if (!(err instanceof PostponedError)) throw err
      ctx.log.debug({ effect: name, err }, 'Effect postponed')
      await enqueueJobs(ctx.db, [postponedJob(name, payload, err.delayMs)])
    }
  }
  const { runBatch } = effect
  return runBatch
    ? Object.assign(run, { runBatch: async (payloads: readonly unknown[]) => runBatch(ctx, payloads) })
    : run
}
