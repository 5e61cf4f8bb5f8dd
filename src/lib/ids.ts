/** The largest 64-bit signed integer: what PostgreSQL's `bigint` can hold. */
const MAX_ID = 9_223_372_036_854_775_807n

/**
 * True for the decimal text of a positive 64-bit integer without sign, space or leading zero.
 * Ids stay text in the whole program, since a JavaScript number would round them.
 */
export function isId(text: unknown): text is string {
  return typeof text === 'string' && /^[1-9][0-9]{0,18}$/.test(text) && (text.length < 19 || BigInt(text) <= MAX_ID)
}

/** Orders two ids by their value, not by their text. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** The moment that a status id carries: its upper 48 bits are milliseconds since 1970. */
export function timeOfStatusId(id: string): Date {
  return new Date(Number(BigInt(id) >> 16n))
}

/** The smallest status id of a moment: a cursor "everything since then". */
export function statusIdAt(moment: Date): string {
  return (BigInt(moment.getTime()) << 16n).toString()
}
