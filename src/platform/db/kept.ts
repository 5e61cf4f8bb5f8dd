import { ByteCache } from '../../lib/byte-cache.ts'
import type { Changes, Moment } from './changes.ts'

interface Entry<Value> {
  key: string
  value: Value
  /** It was still true when this process looked then. */
  since: Moment
}

interface Terms<Value> {
  maxBytes: number
  /** Whether something has changed since that the value was made of. */
  hasChanged(changes: Changes, entry: Readonly<Entry<Value>>): boolean
}

/** Answers of the database that are kept in memory for as long as nothing has changed that they were made of. */
export class Kept<Value> {
  readonly #caches = new WeakMap<Changes, ByteCache<Entry<Value>>>()
  /** The one that was used last: nearly always there is no other. */
  #last: { changes: Changes; cache: ByteCache<Entry<Value>> } | null = null
  readonly #terms: Terms<Value>

  constructor(terms: Terms<Value>) {
    this.#terms = terms
  }

  get(changes: Changes, key: string): Value | undefined {
    const entry = this.#cacheOf(changes).get(key)
    if (entry === undefined) return undefined
    if (this.#terms.hasChanged(changes, entry)) return undefined
    entry.since = changes.moment
    return entry.value
  }

  /** What was kept last, be it true or not: of use to who knows what in it does not change. */
  peek(changes: Changes, key: string): Value | undefined {
    return this.#cacheOf(changes).get(key)?.value
  }

  /** `since`: the moment before the value was asked for. */
  set(changes: Changes, key: string, { value, since, bytes }: { value: Value; since: Moment; bytes: number }): void {
    this.#cacheOf(changes).set(key, { key, value, since }, bytes + 2 * key.length)
  }

  #cacheOf(changes: Changes): ByteCache<Entry<Value>> {
    if (this.#last?.changes === changes) return this.#last.cache
    let cache = this.#caches.get(changes)
    if (!cache) this.#caches.set(changes, (cache = new ByteCache({ maxBytes: this.#terms.maxBytes })))
    this.#last = { changes, cache }
    return cache
  }
}
