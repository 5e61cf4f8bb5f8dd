/** JSON in parts: text that was written just now, and bytes in UTF-8 that are kept. */
export type JsonPart = string | Buffer

/** At most so many bytes are written for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

export function textOfParts(parts: readonly JsonPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.toString())).join('')
}

/** Parts of JSON under names as an object, in parts: like `jsonObject`, without joining what is kept as bytes. */
export function objectInParts(pairs: Readonly<Record<string, JsonPart | readonly JsonPart[]>>): JsonPart[] {
  const parts: JsonPart[] = []
  let before = '{'
  for (const [name, value] of Object.entries(pairs)) {
    parts.push(`${before}"${name}":`)
    if (Array.isArray(value)) for (const part of value) parts.push(part)
    else parts.push(value as JsonPart)
    before = ','
  }
  parts.push(parts.length === 0 ? '{}' : '}')
  return parts
}

/** An array in parts. `write` puts an item behind the other parts; where there is none, nothing, and gives false. */
export function writeArray<Item>(
  items: readonly Item[],
  write: (parts: JsonPart[], item: Item) => boolean,
): JsonPart[] {
  const parts: JsonPart[] = ['[']
  for (const item of items) {
    const isFirst = parts.length === 1
    if (!isFirst) parts.push(',')
    if (!write(parts, item) && !isFirst) parts.pop()
  }
  parts.push(']')
  return parts
}

/** The same of items that are in parts already: like `jsonArray`. */
export function arrayInParts(items: readonly (readonly JsonPart[])[]): JsonPart[] {
  return writeArray(items, (parts, item) => {
    for (const part of item) parts.push(part)
    return true
  })
}

/** Parts as bytes in memory of their own: a piece of Node's pool would keep all of it from being used again. */
export function bytesOfParts(parts: readonly JsonPart[]): Buffer {
  const room = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  return writeParts(parts, Buffer.allocUnsafeSlow(room))!
}

/**
 * Writes all parts into memory; null when there is no room for them. What is kept is copied, and neither read nor written
 * anew; text that stands together is written at once.
 */
export function writeParts(parts: readonly JsonPart[], into: Buffer): Buffer | null {
  let end = 0
  let text = ''
  const writeText = (): boolean => {
    if (text === '') return true
    const room = into.length - end
    if (text.length * BYTES_PER_UNIT > room && Buffer.byteLength(text) > room) return false
    end += into.write(text, end)
    text = ''
    return true
  }
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      if (!writeText() || part.length > into.length - end) return null
      into.set(part, end)
      end += part.length
    }
  }
  return writeText() ? into.subarray(0, end) : null
}
