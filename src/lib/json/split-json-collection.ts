/** Thrown if a text is not a JSON object with the expected array. */
export class InvalidCollectionError extends Error {}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** A longer property name of the outermost object is not the searched one. */
const MAX_NAME_BYTES = 100

/**
 * Yields the JSON of each item of an array that is a property of the outermost object, without holding more than one
 * item in memory; null for an item of more than `maxItemBytes`. Only the structure is checked: an item may be invalid
 * JSON.
 * @throws InvalidCollectionError at the end of a text without this array, or with unbalanced brackets
 */
export async function* splitJsonCollection(
  chunks: AsyncIterable<Buffer>,
  { property, maxItemBytes }: { property: string; maxItemBytes: number },
): AsyncGenerator<string | null> {
  const splitter = new Splitter(property, maxItemBytes)
  for await (const chunk of chunks) yield* splitter.push(chunk)
  splitter.end()
}

class Splitter {
  readonly #property: string
  readonly #maxItemBytes: number
  #depth = 0
  #isString = false
  #isEscaped = false
  /** The latest text directly in the outermost object, with its quotes; null if it is too long. */
  #name: number[] | null = []
  /** Whether the latest text is the name of the array. */
  #isNamed = false
  #isInArray = false
  #hasArray = false
  #hasEnded = false
  /** The parts of the current item; null between items. */
  #parts: Buffer[] | null = null
  #itemBytes = 0

  constructor(property: string, maxItemBytes: number) {
    this.#property = property
    this.#maxItemBytes = maxItemBytes
  }

  /** Returns the items that end in this chunk. */
  push(chunk: Buffer): (string | null)[] {
    const items: (string | null)[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]!
      if (this.#isString) {
        this.#readText(byte)
        continue
      }
      if (this.#isBlank(byte)) continue
      if (this.#isInArray && this.#depth === 2) {
        if (this.#parts && (byte === COMMA || byte === CLOSE_BRACKET)) items.push(this.#endItem(chunk, start, at))
        if (!this.#parts && byte !== COMMA && byte !== CLOSE_BRACKET) {
          this.#parts = []
          start = at
        }
      }
      this.#readStructure(byte)
    }
    if (this.#parts) this.#add(chunk.subarray(start))
    return items
  }

  end(): void {
    if (!this.#hasArray || !this.#hasEnded) throw new InvalidCollectionError('The text is not a JSON collection')
  }

  #isBlank(byte: number): boolean {
    return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
  }

  #readText(byte: number): void {
    if (this.#depth === 1 && this.#name) {
      if (this.#name.length < MAX_NAME_BYTES) this.#name.push(byte)
      else this.#name = null
    }
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === BACKSLASH) this.#isEscaped = true
    else if (byte === QUOTE) this.#isString = false
  }

  #readStructure(byte: number): void {
    if (this.#hasEnded || (this.#depth === 0 && byte !== OPEN_BRACE)) {
      throw new InvalidCollectionError('The text is not a JSON object')
    }
    if (byte === QUOTE) {
      this.#isString = true
      if (this.#depth === 1) this.#name = [byte]
    } else if (byte === COLON && this.#depth === 1) {
      this.#isNamed = this.#name !== null && Buffer.from(this.#name).toString() === JSON.stringify(this.#property)
    } else if (byte === COMMA && this.#depth === 1) {
      this.#isNamed = false
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (this.#depth === 1 && this.#isNamed && byte === OPEN_BRACKET) this.#isInArray = this.#hasArray = true
      this.#depth += 1
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      this.#depth -= 1
      if (this.#depth === 1) this.#isInArray = false
      this.#hasEnded = this.#depth === 0
    }
  }

  #add(part: Buffer): void {
    this.#itemBytes += part.length
    // The rest of an item that is too long is not held in memory.
    if (this.#itemBytes > this.#maxItemBytes) this.#parts = []
    // The chunk may be reused by its stream.
    else this.#parts!.push(Buffer.from(part))
  }

  #endItem(chunk: Buffer, start: number, end: number): string | null {
    this.#add(chunk.subarray(start, end))
    const item = this.#itemBytes > this.#maxItemBytes ? null : Buffer.concat(this.#parts!).toString()
    this.#parts = null
    this.#itemBytes = 0
    return item
  }
}
