interface Entry<Value> {
  readonly key: string
  readonly value: Value
  readonly bytes: number
  /** Whether the entry was read since the hand last passed it. */
  wasUsed: boolean
}

/**
 * A cache limited by bytes, with the CLOCK eviction algorithm. When room is needed, a hand moves in a circle over the
 * entries and evicts those that were not read since it last passed them. So a read is only a lookup in a map without
 * maintaining an order, and entries that fit are never evicted. Entries larger than the limit are not stored.
 */
export class ByteLimitedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #maxBytes: number
  #hand = this.#entries.values()
  #bytes = 0

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (!entry.wasUsed) entry.wasUsed = true
    return entry.value
  }

  set(key: string, value: Value, bytes: number): void {
    const before = this.#entries.get(key)
    if (before) this.#remove(before)
    if (bytes > this.#maxBytes) return
    this.#makeRoom(bytes)
    this.#entries.set(key, { key, value, bytes, wasUsed: false })
    this.#bytes += bytes
  }

  get bytes(): number {
    return this.#bytes
  }

  #remove({ key, bytes }: Entry<Value>): void {
    this.#entries.delete(key)
    this.#bytes -= bytes
  }

  #makeRoom(bytes: number): void {
    while (this.#bytes + bytes > this.#maxBytes) {
      const next = this.#hand.next()
      if (next.done) this.#hand = this.#entries.values()
      else if (next.value.wasUsed) next.value.wasUsed = false
      else this.#remove(next.value)
    }
  }
}
