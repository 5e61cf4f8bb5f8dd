import { Gate } from '../../lib/gate.ts'
import type { Log } from '../log.ts'

export type Handlers = Record<string, (payload: unknown) => Promise<void>>

/** Jobs that begin several handlers. */
export interface Bundles {
  /** The handlers of each, by its name. */
  handlersOf: Readonly<Record<string, readonly string[]>>
  /** Has those that failed run again, each by a job of its own. */
  again(handlers: readonly string[], payload: unknown): Promise<void>
}

/** What is to be done for each job, by its name. No more than so many handlers run at a time, however they were begun. */
export function createTasks({
  handlers,
  bundles,
  concurrency,
  log,
}: {
  handlers: Handlers
  bundles?: Bundles | undefined
  concurrency: number
  log: Log
}): Handlers {
  const gate = new Gate({ places: concurrency })
  const tasks: Handlers = {}
  for (const [name, handle] of Object.entries(handlers))
    tasks[name] = async (payload) => gate.pass(() => handle(payload))
  for (const [bundle, names] of Object.entries(bundles?.handlersOf ?? {})) {
    tasks[bundle] = async (payload) => {
      const failed = await Promise.all(names.map(async (name) => ((await attempt(name, payload)) ? [] : [name])))
      const again = failed.flat()
      if (again.length > 0) await bundles!.again(again, payload)
    }
  }
  return tasks

  async function attempt(name: string, payload: unknown): Promise<boolean> {
    let begun = Date.now()
    try {
      await gate.pass(async () => {
        begun = Date.now()
        await handlers[name]!(payload)
      })
      log.debug({ effect: name, ms: Date.now() - begun, attempt: 1 }, 'effect done')
      return true
    } catch (err) {
      log.warn({ effect: name, attempt: 1, err }, 'effect failed')
      return false
    }
  }
}
