interface Entry<Value> {
  value: Value
  bytes: number
}

/**
 * A cache bounded by bytes that forgets what was not asked for the longest. It has two generations: what is asked for
 * moves into the younger one, and before that takes more than half of the room, the older one is let go as a whole. So
 * asking costs one look into a map, and an order need not be kept. What is larger than the room is not kept.
 */
export class ByteCache<Value> {
  #young = new Map<string, Entry<Value>>()
  #old = new Map<string, Entry<Value>>()
  #youngBytes = 0
  #oldBytes = 0
  readonly #maxBytes: number

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#maxBytes = maxBytes
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young.value
    const old = this.#old.get(key)
    if (old === undefined) return undefined
    this.#old.delete(key)
    this.#oldBytes -= old.bytes
    this.#add(key, old)
    return old.value
  }

  set(key: string, value: Value, bytes: number): void {
    this.#youngBytes -= this.#young.get(key)?.bytes ?? 0
    this.#young.delete(key)
    this.#oldBytes -= this.#old.get(key)?.bytes ?? 0
    this.#old.delete(key)
    if (bytes <= this.#maxBytes) this.#add(key, { value, bytes })
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }

  #add(key: string, entry: Entry<Value>): void {
    if (this.#youngBytes + entry.bytes > this.#maxBytes / 2) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(key, entry)
    this.#youngBytes += entry.bytes
    // Only beside what takes more than half of it alone.
    if (this.bytes <= this.#maxBytes) return
    this.#old = new Map()
    this.#oldBytes = 0
  }
}
