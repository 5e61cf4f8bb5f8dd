import { setTimeout as wait } from 'node:timers/promises'

/** What `work` gives, unless that takes longer: then an error, while the work itself goes on unheard. */
export async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = wait(seconds * 1000, undefined, { signal: done.signal }).then(() => {
    throw new Error(`Not done after ${seconds} s`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
    late.catch(() => undefined)
    work.catch(() => undefined)
  }
}
