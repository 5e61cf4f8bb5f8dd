/** The largest 64-bit signed integer, the maximum of PostgreSQL's `bigint`. */
const MAX_ID = 9_223_372_036_854_775_807n

/**
 * Returns whether a text is a positive 64-bit integer in decimal without sign, space or leading zero.
 * Ids are always strings in the program, because a JavaScript number would round them.
 */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[1-9][0-9]{0,18}$/.test(text) && (text.length < 19 || BigInt(text) <= MAX_ID)
}

/**
 * Returns the position in a list that a cursor names: any number of up to 40 digits, of which larger ones than every id
 * are the largest id. Returns undefined for other texts.
 */
export function toCursor(text: string | undefined): string | undefined {
  if (text === undefined || !/^[0-9]{1,40}$/.test(text)) return undefined
  const position = BigInt(text)
  return String(position > MAX_ID ? MAX_ID : position)
}

/** Compares two ids by their numeric value. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** Returns the time in a status id, whose upper 48 bits are milliseconds since 1970. */
export function timeOfStatusId(id: string): Date {
  return new Date(Number(BigInt(id) >> 16n))
}

/** Returns the smallest status id of a time, which is a cursor for all later statuses. */
export function firstStatusIdAt(date: Date): string {
  return (BigInt(date.getTime()) << 16n).toString()
}
