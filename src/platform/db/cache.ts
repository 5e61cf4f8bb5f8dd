import { ByteLimitedCache } from '../../lib/memory/byte-limited-cache.ts'
import type { Epoch, Invalidations } from './invalidations.ts'

interface Entry<Value> {
  key: string
  value: Value
  /** The latest epoch at which the value was valid. */
  since: Epoch
}

interface Options<Value> {
  /** A memory limit of its own. By default, the cache shares the limit of all caches of the database. */
  maxBytes?: number
  /** Returns whether an invalidation after `entry.since` affects the value. Called once per entry and epoch. */
  isInvalidated(invalidations: Invalidations, entry: Readonly<Entry<Value>>): boolean
  /** Returns whether the value has become invalid by the time alone. By default, none does. */
  hasExpired?(value: Value, now: number): boolean
}

/** Caches query results by key. An entry is valid until an invalidation affects it. */
export class Cache<Value> {
  readonly #caches = new WeakMap<Invalidations, ByteLimitedCache<Entry<Value>>>()
  /** The cache of the last call: a process rarely has more than one database. */
  #last: { invalidations: Invalidations; cache: ByteLimitedCache<Entry<Value>> } | null = null
  readonly #options: Options<Value>

  constructor(options: Options<Value>) {
    this.#options = options
  }

  get(invalidations: Invalidations, key: string): Value | undefined {
    const entry = this.#cacheOf(invalidations).get(key)
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
    return this.#cacheOf(invalidations).get(key)?.value
  }

  /** Stores a value. `since`: the epoch before it was queried. `bytes`: its approximate size in memory. */
  set(
    invalidations: Invalidations,
    key: string,
    { value, since, bytes }: { value: Value; since: Epoch; bytes: number },
  ): void {
    this.#cacheOf(invalidations).set(key, { key, value, since }, bytes + 2 * key.length)
  }

  #cacheOf(invalidations: Invalidations): ByteLimitedCache<Entry<Value>> {
    if (this.#last?.invalidations === invalidations) return this.#last.cache
    let cache = this.#caches.get(invalidations)
    if (!cache) this.#caches.set(invalidations, (cache = this.#createCache(invalidations)))
    this.#last = { invalidations, cache }
    return cache
  }

  #createCache({ cacheLimit }: Invalidations): ByteLimitedCache<Entry<Value>> {
    const { maxBytes } = this.#options
    return new ByteLimitedCache(maxBytes === undefined ? { limit: cacheLimit } : { maxBytes })
  }
}
