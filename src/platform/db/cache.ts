import { ByteCache } from '../../lib/byte-cache.ts'
import type { Epoch, Invalidations } from './invalidations.ts'

interface Entry<Value> {
  key: string
  value: Value
  /** The latest epoch at which the value was valid. */
  since: Epoch
}

interface Options<Value> {
  maxBytes: number
  /** Whether something that the value was made of has changed after `entry.since`. */
  isInvalidated(invalidations: Invalidations, entry: Readonly<Entry<Value>>): boolean
}

/** Caches results of queries by key, each until something changes that it was made of. */
export class Cache<Value> {
  readonly #caches = new WeakMap<Invalidations, ByteCache<Entry<Value>>>()
  /** The cache that was used last: a process rarely has more than one database. */
  #last: { invalidations: Invalidations; cache: ByteCache<Entry<Value>> } | null = null
  readonly #options: Options<Value>

  constructor(options: Options<Value>) {
    this.#options = options
  }

  get(invalidations: Invalidations, key: string): Value | undefined {
    const entry = this.#cacheOf(invalidations).get(key)
    if (entry === undefined) return undefined
    if (this.#options.isInvalidated(invalidations, entry)) return undefined
    entry.since = invalidations.epoch
    return entry.value
  }

  /** Returns the last cached value, valid or not. The caller has to know which parts of it cannot have changed. */
  peek(invalidations: Invalidations, key: string): Value | undefined {
    return this.#cacheOf(invalidations).get(key)?.value
  }

  /** `since`: the epoch before the value was queried. `bytes`: its approximate size in memory. */
  set(
    invalidations: Invalidations,
    key: string,
    { value, since, bytes }: { value: Value; since: Epoch; bytes: number },
  ): void {
    this.#cacheOf(invalidations).set(key, { key, value, since }, bytes + 2 * key.length)
  }

  #cacheOf(invalidations: Invalidations): ByteCache<Entry<Value>> {
    if (this.#last?.invalidations === invalidations) return this.#last.cache
    let cache = this.#caches.get(invalidations)
    if (!cache) this.#caches.set(invalidations, (cache = new ByteCache({ maxBytes: this.#options.maxBytes })))
    this.#last = { invalidations, cache }
    return cache
  }
}
