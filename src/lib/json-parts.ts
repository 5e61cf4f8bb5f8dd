/** JSON in parts: text that was written just now, and bytes in UTF-8 that are kept. */
export type JsonPart = string | Buffer

/** At most so many bytes are written for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

export function textOfParts(parts: readonly JsonPart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.toString())).join('')
}

/** All parts as one run of bytes: what is kept is copied, and neither read nor written anew. To be used up at once. */
export function bytesOfParts(parts: readonly JsonPart[]): Buffer {
  let room = 0
  for (const part of parts) room += typeof part === 'string' ? part.length * BYTES_PER_UNIT : part.length
  const bytes = Buffer.allocUnsafe(room)
  let end = 0
  for (const part of parts) {
    if (typeof part === 'string') end += bytes.write(part, end)
    else {
      bytes.set(part, end)
      end += part.length
    }
  }
  return bytes.subarray(0, end)
}
