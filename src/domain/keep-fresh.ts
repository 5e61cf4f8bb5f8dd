import type { Config } from '../platform/config.ts'
import type { Read } from './context.ts'

/** What was read counts for so long. */
const FRESH_MS = 1_000

/** What took longer to read counts for longer, so that reading it never takes more than this share of the time. */
const SHARE = 0.01

interface Kept<T> {
  until: number
  value: Promise<T>
}

/**
 * Reads something that everybody is told alike, once for all who ask within a second; what is slow to read, for longer
 * (a tenth of a second of reading counts for ten seconds).
 */
export function keepFresh<T>(load: (read: Read) => Promise<T>): (read: Read) => Promise<T> {
  const kept = new WeakMap<Config, Kept<T>>()
  return (read) => {
    const known = kept.get(read.config)
    if (known && performance.now() < known.until) return known.value
    const from = performance.now()
    const fresh: Kept<T> = { until: Infinity, value: load(read) }
    kept.set(read.config, fresh)
    fresh.value.then(
      () => {
        const now = performance.now()
        fresh.until = now + Math.max(FRESH_MS, (now - from) / SHARE)
      },
      // What could not be read now is asked again by the next request.
      () => kept.delete(read.config),
    )
    return fresh.value
  }
}
