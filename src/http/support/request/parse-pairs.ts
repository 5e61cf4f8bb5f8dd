import { unescape } from 'node:querystring'

/** The maximum depth of names such as `a[b][c]`, and the maximum number of pairs. Anything beyond is ignored. */
const MAX_DEPTH = 5
export const MAX_PAIRS = 2_000

const PLUS = '+'.charCodeAt(0)
const SPACE = ' '.charCodeAt(0)

/**
 * The name and the value of a field of a form or a query. The value is a text, or the parsed part of a multipart body.
 */
export type Pair = [name: string | undefined, value: unknown]

type ParameterNode = Map<string, unknown>

/**
 * Builds the nested object that the pairs of a form or a query describe: `a=1`, `a[]=1`, `a[b]=1`, `a[0][b]=1`,
 * `a[][b]=1`. Of a repeated plain name, the last value counts. Names such as `__proto__` are ordinary keys, since
 * objects have no prototype.
 */
export function nestPairs(pairs: Iterable<Pair>): Record<string, unknown> {
  const rootNode: ParameterNode = new Map()
  let count = 0
  for (const [name, value] of pairs) {
    if ((count += 1) > MAX_PAIRS) break
    const path = parseFieldName(name)
    if (path) setAtPath(rootNode, path, value)
  }
  return toPlainValue(rootNode) as Record<string, unknown>
}

/** Parses a query or an urlencoded body. Malformed escapes stay as they are. */
export function parsePairs(text: string): Record<string, unknown> {
  return nestPairs(splitPairs(text))
}

/** Splits and decodes pairs. `URLSearchParams` would take seconds for a body of bare names (`a&a&a&…`). */
function splitPairs(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const pairText of text.split('&', MAX_PAIRS)) {
    if (pairText === '') continue
    const equals = pairText.indexOf('=')
    pairs.push(
      equals < 0 ? [decode(pairText), ''] : [decode(pairText.slice(0, equals)), decode(pairText.slice(equals + 1))],
    )
  }
  return pairs
}

function decode(text: string): string {
  return unescape(text.includes('+') ? replacePluses(text) : text)
}

/** Replaces plus signs with spaces. `replaceAll` and `split` would block the event loop for megabytes of them. */
function replacePluses(text: string): string {
  const bytes = Buffer.from(text)
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index] === PLUS) bytes[index] = SPACE
  return bytes.toString()
}

/**
 * Returns the keys of a name: `a`, `b` and an empty one for `a[b][]`. Null if the name is empty or too deep, and for a
 * part of a multipart body that has no name.
 */
export function parseFieldName(name: string | undefined): string[] | null {
  if (!name) return null
  const open = name.indexOf('[')
  if (open <= 0) return [name]
  const path = [name.slice(0, open)]
  for (const [, key] of name.slice(open).matchAll(/\[([^[\]]*)\]/g)) {
    if (path.push(key ?? '') > MAX_DEPTH) return null
  }
  return path
}

function setAtPath(node: ParameterNode, [key, ...rest]: string[], value: unknown): void {
  const name = key ?? ''
  if (rest.length === 0) {
    node.set(name, value)
    return
  }
  if (rest[0] === '') {
    const existing = node.get(name)
    const items: unknown[] = Array.isArray(existing) ? existing : []
    node.set(name, items)
    appendAtPath(items, rest.slice(1), value)
    return
  }
  const existing = node.get(name)
  const inner: ParameterNode = existing instanceof Map ? existing : new Map()
  node.set(name, inner)
  setAtPath(inner, rest, value)
}

/** Appends to a list of records. In `a[][b]=1&a[][c]=2&a[][b]=3`, a repeated key starts the next record. */
function appendAtPath(items: unknown[], path: string[], value: unknown): void {
  if (path.length === 0) {
    items.push(value)
    return
  }
  const last = items.at(-1)
  const inner: ParameterNode = last instanceof Map && !hasValueAtPath(last, path) ? last : new Map()
  if (inner !== last) items.push(inner)
  setAtPath(inner, path, value)
}

/** Whether a record already has a value at the path. A list (`[]`) can always take another value. */
function hasValueAtPath(node: unknown, [key, ...rest]: string[]): boolean {
  if (!(node instanceof Map) || key === '' || !node.has(key)) return false
  return rest.length === 0 || hasValueAtPath(node.get(key), rest)
}

function toPlainValue(node: unknown): unknown {
  if (node instanceof Map) return toPlainRecord(node)
  // A list of pairs contains records and values. A list in it is a value from JSON, which may be nested deeply.
  return Array.isArray(node) ? node.map((item) => (item instanceof Map ? toPlainRecord(item) : item)) : node
}

function toPlainRecord(node: ParameterNode): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null)
  for (const [key, value] of node) record[key] = toPlainValue(value)
  return record
}
