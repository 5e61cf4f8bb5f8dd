import { ByteLimitedCache } from '../../lib/memory/byte-limited-cache.ts'
import type { Entry } from '../../lib/memory/byte-limited-cache.ts'
import type { Epoch, Invalidations } from './invalidations.ts'

interface Options<Value> {
  /** A memory limit of its own. By default, the cache shares the limit of all caches of the database. */
  maxBytes?: number
  /** Returns whether an invalidation after `entry.since` affects the value. Called once per entry and epoch. */
  isInvalidated(invalidations: Invalidations, entry: Readonly<Entry<Value>>): boolean
  /** Returns whether the value has become invalid by the time alone. By default, none does. */
  hasExpired?(value: Value, now: number): boolean
}

/**
 * Caches query results by key. An entry is valid until an invalidation affects it; `since` is the latest epoch at which
 * it was valid.
 */
export class Cache<Value> {
  readonly #caches = new WeakMap<Invalidations, ByteLimitedCache<Value>>()
  /** The cache of the last call: a process rarely has more than one database. */
  #last: { invalidations: Invalidations; cache: ByteLimitedCache<Value> } | null = null
  readonly #options: Options<Value>

  constructor(options: Options<Value>) {
    this.#options = options
  }

  get(invalidations: Invalidations, key: string): Value | undefined {
    const entry = this.#cacheOf(invalidations).getEntry(key)
    if (entry === undefined) return undefined
    const { isInvalidated, hasExpired } = this.#options
    if (hasExpired?.(entry.value, invalidations.now)) return undefined
    if (entry.since !== invalidations.epoch) {
      if (isInvalidated(invalidations, entry)) return undefined
      entry.since = invalidations.epoch
    }
    return entry.value
  }

  /** Returns the cached value even if it is invalid. The caller must use only parts of it that cannot have changed. */
  peek(invalidations: Invalidations, key: string): Value | undefined {
    return this.#cacheOf(invalidations).get(key)
  }

  /** Stores a value. `since`: the epoch before it was queried. `bytes`: its approximate size in memory. */
  set(
    invalidations: Invalidations,
    key: string,
    { value, since, bytes }: { value: Value; since: Epoch; bytes: number },
  ): void {
    this.#cacheOf(invalidations).set(key, value, bytes + 2 * key.length, since)
  }

  #cacheOf(invalidations: Invalidations): ByteLimitedCache<Value> {
    if (this.#last?.invalidations === invalidations) return this.#last.cache
    let cache = this.#caches.get(invalidations)
    if (!cache) this.#caches.set(invalidations, (cache = this.#createCache(invalidations)))
    this.#last = { invalidations, cache }
    return cache
  }

  #createCache({ cacheLimit }: Invalidations): ByteLimitedCache<Value> {
    const { maxBytes } = this.#options
    return new ByteLimitedCache(maxBytes === undefined ? { limit: cacheLimit } : { maxBytes })
  }
}
