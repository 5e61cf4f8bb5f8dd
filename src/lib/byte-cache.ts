interface Entry<Value> {
  readonly key: string
  readonly value: Value
  readonly bytes: number
  /** Asked for since the hand came by. */
  asked: boolean
}

/**
 * A cache bounded by bytes that forgets what has not been asked for lately. A hand goes round over all entries when room
 * is needed, and lets go what nobody asked for since it came by the last time. So asking costs one look into a map, an
 * order need not be kept, and what fits in stays, in whatever order it is asked for. What is larger than the room is not
 * kept.
 */
export class ByteCache<Value> {
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
    if (!entry.asked) entry.asked = true
    return entry.value
  }

  set(key: string, value: Value, bytes: number): void {
    const before = this.#entries.get(key)
    if (before) this.#remove(before)
    if (bytes > this.#maxBytes) return
    this.#makeRoom(bytes)
    this.#entries.set(key, { key, value, bytes, asked: false })
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
      else if (next.value.asked) next.value.asked = false
      else this.#remove(next.value)
    }
  }
}
