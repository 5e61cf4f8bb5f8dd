import { Semaphore } from '../../lib/async/semaphore.ts'
import type { Log } from '../log/log.ts'

export type Handlers = Record<string, (payload: unknown) => Promise<void>>

/** Jobs that run several handlers. */
export interface JobBundles {
  /** The handlers of each bundle, by its name. */
  handlersOf: Readonly<Record<string, readonly string[]>>
  /** Enqueues a separate job for each failed handler. */
  retrySeparately(handlers: readonly string[], payload: unknown): Promise<void>
}

/** Returns the task of each job name. `concurrency` limits the running handlers, including those of bundles. */
export function createTasks({
  handlers,
  bundles,
  concurrency,
  log,
}: {
  handlers: Handlers
  bundles?: JobBundles | undefined
  concurrency: number
  log: Log
}): Handlers {
  const concurrencyLimit = new Semaphore({ permits: concurrency })
  const tasks: Handlers = {}
  for (const [name, handle] of Object.entries(handlers))
    tasks[name] = async (payload) => concurrencyLimit.run(() => handle(payload))
  for (const [bundle, names] of Object.entries(bundles?.handlersOf ?? {})) {
    tasks[bundle] = async (payload) => {
      const failed = await Promise.all(names.map(async (name) => ((await attempt(name, payload)) ? [] : [name])))
      const failedNames = failed.flat()
      if (failedNames.length > 0) await bundles!.retrySeparately(failedNames, payload)
    }
  }
  return tasks

  async function attempt(name: string, payload: unknown): Promise<boolean> {
    let startedAt = Date.now()
    try {
      await concurrencyLimit.run(async () => {
        startedAt = Date.now()
        await handlers[name]!(payload)
      })
      log.debug({ effect: name, ms: Date.now() - startedAt, attempt: 1 }, 'Job completed')
      return true
    } catch (err) {
      log.warn({ effect: name, attempt: 1, err }, 'Job failed')
      return false
    }
  }
}
