import { Cache } from './cache.ts'
import type { Epoch, Invalidations } from './invalidations.ts'

/** The approximate size of an entry in the map of its viewer, with the key. */
const ENTRY_BYTES = 120

/** How many values the cache holds for one viewer. */
const MAX_VALUES = 2_000

interface Entry<Value> {
  value: Value
  /** The latest epoch at which the value was valid. */
  since: Epoch
}

interface Options<Value> {
  /** The approximate size of one value, without its entry. 0 if the cache shares equal values. */
  valueBytes: number
  /** Returns whether an invalidation after `since` affects the value of a key, apart from those of its viewer. */
  isInvalidated(invalidations: Invalidations, entry: { key: string; value: Value; since: Epoch }): boolean
}

/** Values with their keys. */
export type KeyedValues<Value> = readonly (readonly [key: string, value: Value])[]

/**
 * Caches query results that differ between viewers, by viewer and key. An interaction of a viewer or a change of the
 * viewer's relationships invalidates all values of that viewer.
 */
export class ViewerCache<Value> {
  readonly #cache: Cache<Map<string, Entry<Value>>>
  readonly #options: Options<Value>

  constructor(options: Options<Value>) {
    this.#options = options
    this.#cache = new Cache({
      isInvalidated: (invalidations, { key, since }) => invalidations.isInvalidated('viewer', key, since),
    })
  }

  /**
   * Returns the values in the order of the keys, of which some may be equal. Loads those that are not cached with one
   * call of `load`, which gets each key once; a key that it does not find yields undefined and is not cached. `viewerId`:
   * null for anonymous viewers.
   */
  async find(
    invalidations: Invalidations,
    {
      viewerId,
      keys,
      load,
    }: { viewerId: string | null; keys: Iterable<string>; load(missing: string[]): Promise<KeyedValues<Value>> },
  ): Promise<(Value | undefined)[]> {
    const since = invalidations.epoch
    const viewer = viewerId ?? ''
    const entries = this.#cache.get(invalidations, viewer) ?? new Map<string, Entry<Value>>()
    const values: (Value | undefined)[] = []
    const missing: string[] = []
    const positions: number[] = []
    for (const key of keys) {
      const entry = entries.get(key)
      if (entry !== undefined && this.#isValid(invalidations, key, entry)) values.push(entry.value)
      else {
        positions.push(values.push(undefined) - 1)
        missing.push(key)
      }
    }
    if (missing.length === 0) return values
    const loaded = new Map(await load([...new Set(missing)]))
    this.#store(invalidations, { viewer, entries, values: loaded, since })
    missing.forEach((key, n) => (values[positions[n]!] = loaded.get(key)))
    return values
  }

  /** Stores values that were loaded together with other data. `since`: the epoch before they were loaded. */
  set(
    invalidations: Invalidations,
    { viewerId, values, since }: { viewerId: string | null; values: KeyedValues<Value>; since: Epoch },
  ): void {
    const viewer = viewerId ?? ''
    // The values may be older than what the viewer has done meanwhile, and the cache may already have newer ones.
    if (invalidations.isInvalidated('viewer', viewer, since)) return
    const entries = this.#cache.get(invalidations, viewer) ?? new Map<string, Entry<Value>>()
    this.#store(invalidations, { viewer, entries, values, since })
  }

  #store(
    invalidations: Invalidations,
    {
      viewer,
      entries,
      values,
      since,
    }: { viewer: string; entries: Map<string, Entry<Value>>; values: Iterable<readonly [string, Value]>; since: Epoch },
  ): void {
    if (entries.size > MAX_VALUES) entries.clear()
    for (const [key, value] of values) entries.set(key, { value, since })
    const bytes = entries.size * (ENTRY_BYTES + this.#options.valueBytes)
    this.#cache.set(invalidations, viewer, { value: entries, since, bytes })
  }

  #isValid(invalidations: Invalidations, key: string, entry: Entry<Value>): boolean {
    const { value, since } = entry
    if (since === invalidations.epoch) return true
    if (this.#options.isInvalidated(invalidations, { key, value, since })) return false
    entry.since = invalidations.epoch
    return true
  }
}
