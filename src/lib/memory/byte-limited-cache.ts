export interface Entry<Value> {
  /** The cache that contains the entry. */
  readonly entries: Map<string, Entry<Value>>
  readonly key: string
  readonly value: Value
  readonly bytes: number
  /** For the owner of the cache: since when the value is known to be valid, in a unit of its own. 0 by default. */
  since: number
  /** Whether the entry was read since the hand last passed it. */
  wasUsed: boolean
}

/**
 * A memory limit that several caches can share, with the CLOCK eviction algorithm. When room is needed, a hand moves in
 * a circle over the entries of all caches and evicts those that were not read since it last passed them. So a read is
 * only a lookup in a map without maintaining an order, and entries that fit are never evicted. New entries are behind the
 * hand: otherwise, it could always find one of them to evict, and never those that are not read any more.
 */
export class ByteLimit {
  readonly #maxBytes: number
  /** The entries that the hand has not passed yet in this round, and the others, with all new ones. */
  #ahead = new Set<Entry<unknown>>()
  #behind = new Set<Entry<unknown>>()
  #hand = this.#ahead.values()
  #bytes = 0

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Adds the entry, or returns false if it is larger than the limit. */
  add(entry: Entry<unknown>): boolean {
    if (entry.bytes > this.#maxBytes) return false
    this.#makeRoom(entry.bytes)
    this.#behind.add(entry)
    this.#bytes += entry.bytes
    return true
  }

  remove(entry: Entry<unknown>): void {
    if (!this.#ahead.delete(entry)) this.#behind.delete(entry)
    this.#bytes -= entry.bytes
  }

  #makeRoom(bytes: number): void {
    while (this.#bytes + bytes > this.#maxBytes) {
      const { done, value: entry } = this.#hand.next()
      if (done) this.#beginRound()
      else if (entry.wasUsed) {
        entry.wasUsed = false
        this.#ahead.delete(entry)
        this.#behind.add(entry)
      } else {
        entry.entries.delete(entry.key)
        this.remove(entry)
      }
    }
  }

  #beginRound(): void {
    const empty = this.#ahead
    this.#ahead = this.#behind
    this.#behind = empty
    this.#hand = this.#ahead.values()
  }
}

/** A cache with a limit in bytes, either its own or one that it shares. Entries larger than the limit are not stored. */
export class ByteLimitedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #limit: ByteLimit

  constructor(options: { maxBytes: number } | { limit: ByteLimit }) {
    this.#limit = 'limit' in options ? options.limit : new ByteLimit(options)
  }

  get(key: string): Value | undefined {
    return this.getEntry(key)?.value
  }

  getEntry(key: string): Entry<Value> | undefined {
    const entry = this.#entries.get(key)
    if (entry !== undefined && !entry.wasUsed) entry.wasUsed = true
    return entry
  }

  set(key: string, value: Value, bytes: number, since = 0): void {
    const before = this.#entries.get(key)
    if (before) {
      this.#entries.delete(key)
      this.#limit.remove(before)
    }
    const entry = { entries: this.#entries, key, value, bytes, since, wasUsed: false }
    if (this.#limit.add(entry)) this.#entries.set(key, entry)
  }

  /** The size of all entries of the limit. */
  get bytes(): number {
    return this.#limit.bytes
  }
}
