import { Semaphore } from '../../lib/async/semaphore.ts'
import type { Log } from '../log/log.ts'
import { PermanentError } from './permanent-error.ts'

/** A job that a worker has fetched. */
export interface Job {
  id: string
  name: string
  payload: unknown
  /** How often it was started, including this time. */
  attempts: number
  maxAttempts: number
}

/** Does the work of a job. `runBatch` does the same for the payloads of several jobs. */
export type Handler = ((payload: unknown) => Promise<void>) & {
  readonly runBatch?: (payloads: readonly unknown[]) => Promise<void>
}

export type Handlers = Readonly<Record<string, Handler>>

/** Jobs that run several handlers. */
export interface JobBundles {
  /** The handlers of each bundle, by its name. */
  handlersOf: Readonly<Record<string, readonly string[]>>
  /** Enqueues a separate job for each failed handler of a job. */
  retrySeparately(failures: readonly { handler: string; payload: unknown }[]): Promise<void>
}

/** `not started`: the runner was stopped before all handlers of the job started. */
export type JobResult = 'completed' | 'not started' | { error: unknown }

export interface JobRunner {
  /** The names of the jobs that it can run. */
  readonly names: readonly string[]
  /** Whether a handler would start immediately. */
  readonly isFree: boolean
  /** Divides fetched jobs into groups that run together: those of one name, if that has an advantage. */
  group(jobs: readonly Job[]): Job[][]
  /** Runs a group. Returns one result for each job. Never rejects. */
  run(group: readonly Job[]): Promise<JobResult[]>
  /** Starts no more handlers. */
  stop(): void
}

/** Creates a runner. `concurrency` limits the running handlers, including those of bundles. */
export function createJobRunner({
  handlers,
  bundles,
  concurrency,
  log,
}: {
  handlers: Handlers
  bundles?: JobBundles | undefined
  concurrency: number
  log: Log
}): JobRunner {
  const semaphore = new Semaphore({ permits: concurrency })
  const handlersOf = new Map(Object.entries(bundles?.handlersOf ?? {}))
  let isStopped = false

  function group(jobs: readonly Job[]): Job[][] {
    const groups = new Map<string, Job[]>()
    for (const job of jobs) {
      const isSet = handlersOf.has(job.name) || handlers[job.name]?.runBatch !== undefined
      // A job that has failed or ended its process before runs alone.
      const name = isSet && job.attempts === 1 ? job.name : job.id
      const sameName = groups.get(name)
      if (sameName) sameName.push(job)
      else groups.set(name, [job])
    }
    return [...groups.values()]
  }

  async function run(jobs: readonly Job[]): Promise<JobResult[]> {
    const names = handlersOf.get(jobs[0]!.name)
    return names ? runBundle(names, jobs) : runHandler(jobs[0]!.name, jobs)
  }

  async function runBundle(names: readonly string[], jobs: readonly Job[]): Promise<JobResult[]> {
    const resultsByHandler = await Promise.all(names.map(async (name) => runHandler(name, jobs)))
    const failures: { handler: string; payload: unknown }[] = []
    const results = jobs.map(({ payload }, n): JobResult => {
      // All handlers of such a job run again.
      if (resultsByHandler.some((handlerResults) => handlerResults[n] === 'not started')) return 'not started'
      const failed = names.filter((_, place) => resultsByHandler[place]![n] !== 'completed')
      failures.push(...failed.map((handler) => ({ handler, payload })))
      return 'completed'
    })
    if (failures.length === 0) return results
    try {
      await bundles!.retrySeparately(failures)
      return results
    } catch (error) {
      const failedPayloads = new Set(failures.map(({ payload }) => payload))
      return results.map((result, n) => (failedPayloads.has(jobs[n]!.payload) ? { error } : result))
    }
  }

  async function runHandler(name: string, jobs: readonly Job[]): Promise<JobResult[]> {
    const handler = handlers[name]!
    const { runBatch } = handler
    if (runBatch && jobs.length > 1) {
      const result = await attempt({ effect: name, jobs: jobs.length }, async () =>
        runBatch(jobs.map(({ payload }) => payload)),
      )
      if (typeof result === 'string') return jobs.map(() => result)
    }
    // After the failure of a batch, only the jobs that cause it fail.
    return Promise.all(
      jobs.map(async ({ payload, attempts }) =>
        attempt({ effect: name, attempt: attempts }, async () => handler(payload)),
      ),
    )
  }

  async function attempt(logged: object, work: () => Promise<void>): Promise<JobResult> {
    if (isStopped) return 'not started'
    return semaphore.run(async () => {
      if (isStopped) return 'not started'
      const startedAt = Date.now()
      try {
        await work()
        log.debug({ ...logged, ms: Date.now() - startedAt }, 'Job completed')
        return 'completed'
      } catch (error) {
        // The worker logs that such a job is dead.
        if (!(error instanceof PermanentError)) log.warn({ ...logged, err: error }, 'Job failed')
        return { error }
      }
    })
  }

  return {
    names: [...Object.keys(handlers), ...handlersOf.keys()],
    get isFree() {
      return semaphore.isFree
    },
    group,
    run,
    stop() {
      isStopped = true
      semaphore.admitWaiting()
    },
  }
}
