import { setTimeout as wait } from 'node:timers/promises'

/** Resolves with the result of `work`. Rejects after `seconds`; the work then continues and its result is ignored. */
export async function withTimeout<T>(seconds: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const timeout = wait(seconds * 1000, undefined, { signal: done.signal }).then(() => {
    throw new Error(`Not done after ${seconds} s`)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    done.abort()
    timeout.catch(() => undefined)
    work.catch(() => undefined)
  }
}
