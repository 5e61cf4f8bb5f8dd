import { unescape } from 'node:querystring'

/** How deep `a[b][c]` may go, and how many pairs a form may hold: what is beyond is left out. */
const MAX_DEPTH = 5
export const MAX_PAIRS = 2_000

/** The name and the value of one part of a form or a query. A value is a text, or what a part of multipart holds. */
export type Pair = [name: string, value: unknown]

type Branch = Map<string, unknown>

/**
 * Builds what pairs of a form or a query mean: `a=1`, `a[]=1`, `a[b]=1`, `a[0][b]=1`, `a[][b]=1`.
 * A repeated plain name: the last one counts. Names such as `__proto__` are plain keys of plain records.
 */
export function nest(pairs: Iterable<Pair>): Record<string, unknown> {
  const root: Branch = new Map()
  let count = 0
  for (const [name, value] of pairs) {
    if ((count += 1) > MAX_PAIRS) break
    const path = pathOf(name)
    if (path) put(root, path, value)
  }
  return unfold(root) as Record<string, unknown>
}

/** Reads the pairs of a query or an urlencoded body. Broken escapes stay as they are. */
export function parsePairs(text: string): Record<string, unknown> {
  return nest(splitPairs(text))
}

/** Not by `URLSearchParams`: for a body of bare names (`a&a&a&…`) it takes seconds. */
function splitPairs(text: string): Pair[] {
  const pairs: Pair[] = []
  for (const piece of text.split('&', MAX_PAIRS)) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    pairs.push(equals < 0 ? [decode(piece), ''] : [decode(piece.slice(0, equals)), decode(piece.slice(equals + 1))])
  }
  return pairs
}

function decode(text: string): string {
  // `replaceAll` takes five times as long for megabytes of nothing but plus signs.
  return unescape(text.split('+').join(' '))
}

/** `a[b][]` as its keys; null for a name that is none, or too deep. */
export function pathOf(name: string): string[] | null {
  const open = name.indexOf('[')
  if (open <= 0) return name ? [name] : null
  const path = [name.slice(0, open)]
  for (const [, key] of name.slice(open).matchAll(/\[([^[\]]*)\]/g)) {
    if (path.push(key ?? '') > MAX_DEPTH) return null
  }
  return path
}

function put(branch: Branch, [key, ...rest]: string[], value: unknown): void {
  const name = key ?? ''
  if (rest.length === 0) {
    branch.set(name, value)
    return
  }
  if (rest[0] === '') {
    const held = branch.get(name)
    const items: unknown[] = Array.isArray(held) ? held : []
    branch.set(name, items)
    append(items, rest.slice(1), value)
    return
  }
  const held = branch.get(name)
  const inner: Branch = held instanceof Map ? held : new Map()
  branch.set(name, inner)
  put(inner, rest, value)
}

/** `a[][b]=1&a[][c]=2&a[][b]=3`: a key that comes again starts the next record. */
function append(items: unknown[], path: string[], value: unknown): void {
  if (path.length === 0) {
    items.push(value)
    return
  }
  const last = items.at(-1)
  const inner: Branch = last instanceof Map && !holds(last, path) ? last : new Map()
  if (inner !== last) items.push(inner)
  put(inner, path, value)
}

/** Whether a record has a value at the end of the path already. A list (`[]`) has room for one more. */
function holds(branch: unknown, [key, ...rest]: string[]): boolean {
  if (!(branch instanceof Map) || key === '' || !branch.has(key)) return false
  return rest.length === 0 || holds(branch.get(key), rest)
}

function unfold(node: unknown): unknown {
  if (node instanceof Map) {
    const record: Record<string, unknown> = Object.create(null)
    for (const [key, value] of node) record[key] = unfold(value)
    return record
  }
  return Array.isArray(node) ? node.map(unfold) : node
}
