import type { Config } from '../../platform/config/config.ts'
import type { Read } from '../context.ts'

/** How long a value is cached at least: shorter than scripts need between a change and their next request. */
const MIN_CACHE_MS = 100

/** A value that loads slowly is cached for longer, so that loading takes at most this share of the time. */
const MAX_LOAD_SHARE = 0.01

interface CachedValue<T> {
  until: number
  value: Promise<T>
}

/**
 * Returns a function that caches a value that is the same for all requests, for a tenth of a second or, if it loads
 * slowly, for longer: a value that takes a tenth of a second to load is cached for ten seconds. Concurrent calls share
 * one load.
 */
export function cacheBriefly<T>(load: (read: Read) => Promise<T>): (read: Read) => Promise<T> {
  const cache = new WeakMap<Config, CachedValue<T>>()
  return (read) => {
    const cached = cache.get(read.config)
    if (cached && performance.now() < cached.until) return cached.value
    const from = performance.now()
    const loaded: CachedValue<T> = { until: Infinity, value: load(read) }
    cache.set(read.config, loaded)
    loaded.value.then(
      () => {
        const now = performance.now()
        loaded.until = now + Math.max(MIN_CACHE_MS, (now - from) / MAX_LOAD_SHARE)
      },
      // A failure is not cached: the next request loads again.
      () => cache.delete(read.config),
    )
    return loaded.value
  }
}
