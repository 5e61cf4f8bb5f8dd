import type { Bus } from '../../src/platform/bus/bus.ts'
import { createDb, createPool } from '../../src/platform/db/connection.ts'
import { createJobSignals } from '../../src/platform/jobs/job-signals.ts'
import { enqueueJobs } from '../../src/platform/jobs/job-queue.ts'
import type { JobSpec } from '../../src/platform/jobs/job-queue.ts'
import type { QueueOptions } from '../../src/platform/jobs/queue-worker.ts'
import type { QueueName } from '../../src/platform/jobs/queues.ts'
import { startQueueWorkers } from '../../src/platform/jobs/worker.ts'
import type { Worker } from '../../src/platform/jobs/worker.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { Log } from '../../src/platform/log/log.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { addBuilder } from '../query-builder.ts'

/** A bus without other processes. */
const SILENT_BUS: Bus = { publish: async () => {}, subscribe: () => () => {}, close: async () => {} }

type Options = Partial<Omit<QueueOptions, 'handlers'>> &
  Pick<QueueOptions, 'handlers'> & {
    queue?: QueueName
    pool?: ReturnType<typeof createPool>
    stopSeconds?: number
    log?: Log
  }

/** Opens a database with an empty job queue, for tests of workers with handlers of their own. */
export async function openQueue() {
  const database = await cloneDatabase()
  const pool = createPool(database.connection, { max: 20, onError: () => {} })
  const db = addBuilder(createDb(pool))
  const signals = createJobSignals(SILENT_BUS)
  return {
    db,
    pool,
    connection: database.connection,
    signals,
    /** Starts a worker of one queue. */
    async startWorker({
      queue = 'default',
      pool: workerPool = pool,
      stopSeconds = 20,
      log = createLog('silent'),
      handlers,
      bundles,
      concurrency = 2,
      batchSize = 100,
      isSlowedDown = () => false,
    }: Options): Promise<Worker> {
      const options = { handlers, concurrency, batchSize, isSlowedDown, ...(bundles && { bundles }) }
      return startQueueWorkers(database.connection, {
        queues: { [queue]: options },
        pool: workerPool,
        signals,
        log,
        stopSeconds,
      })
    },
    /** Writes jobs and wakes the workers. */
    async enqueue(...jobs: (Partial<JobSpec> & Pick<JobSpec, 'name'>)[]): Promise<void> {
      const specs = jobs.map((job) => ({ payload: {}, maxAttempts: 8, ...job }))
      await enqueueJobs(db, specs)
      signals.wake(specs)
    },
    /** Returns the jobs in the order of their ids. */
    async readJobs() {
      const { rows } = await pool.query<{
        name: string
        payload: unknown
        attempts: number
        last_error: string | null
        locked_by: string | null
      }>('select name, payload, attempts, last_error, locked_by from jobs order by id')
      return rows
    },
    async deleteJobs(): Promise<void> {
      await pool.query('delete from jobs')
    },
    async close(): Promise<void> {
      signals.close()
      await pool.end()
      await database.drop()
    },
  }
}
