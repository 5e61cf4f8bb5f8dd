/** The counts of a JSON text. */
export interface JsonCounts {
  /** Names of object members. */
  names: number
  /** Distinct names of object members, as spelled. */
  distinctNames: number
  /** Values of any kind, at any depth. */
  values: number
}

/** The greatest counts that a JSON text may have. `depth`: the nesting of objects and arrays. */
export interface JsonLimits extends JsonCounts {
  depth: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

const NO_STRING = { start: 0, end: 0 }

/** By byte: whether it ends a number, true, false or null. */
const SEPARATES = new Uint8Array(256)
for (const byte of Buffer.from(' \t\n\r')) SEPARATES[byte] = 1
for (const byte of [QUOTE, COMMA, COLON]) SEPARATES[byte] = 1
for (const byte of [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE]) SEPARATES[byte] = 1

/**
 * Counts what `JSON.parse` would have to build, from the bytes alone and without building anything. The counts are
 * exact for valid JSON and arbitrary for anything else. Returns null as soon as they exceed a limit. The time is linear
 * in the number of bytes, 1 to 6 ms for 1 MB.
 *
 * Distinct names are counted by a 32-bit hash. Names with the same hash count once, so a sender who constructs
 * collisions can exceed `distinctNames`, but not `names`.
 */
export function countJson(bytes: Uint8Array, limits: JsonLimits): JsonCounts | null {
  const hashes = new Set<number>()
  let names = 0
  let values = 0
  let depth = 0
  let lastString = NO_STRING
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]!) {
      case QUOTE:
        lastString = { start: at + 1, end: endOfString(bytes, at) }
        at = lastString.end
        values += 1
        break
      case COLON:
        // The preceding string was counted as a value.
        values -= 1
        names += 1
        hashes.add(hashOf(bytes, lastString))
        // In invalid JSON, many colons may follow one string: its bytes are hashed only once.
        lastString = NO_STRING
        break
      case OPENING_BRACKET:
      case OPENING_BRACE:
        values += 1
        depth += 1
        break
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth -= 1
        break
      default:
        if (SEPARATES[bytes[at]!]) break
        // A number, true, false or null.
        values += 1
        while (at + 1 < bytes.length && !SEPARATES[bytes[at + 1]!]) at += 1
    }
    const isBeyond =
      depth > limits.depth || values > limits.values || names > limits.names || hashes.size > limits.distinctNames
    if (isBeyond) return null
  }
  return { names, distinctNames: hashes.size, values }
}

/**
 * Returns the index of the quote that ends the string starting at `start`, or the end of the bytes or beyond if none
 * does.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** Returns the 32-bit FNV-1a hash. */
function hashOf(bytes: Uint8Array, { start, end }: { start: number; end: number }): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  return hash
}
