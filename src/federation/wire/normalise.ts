import { ACTIVITY_STREAMS } from './context.ts'
import { Unreadable } from './unreadable.ts'

/** A document from elsewhere, once its spelling and size are as expected. What it says is still only a claim. */
export interface WireObject {
  readonly [name: string]: WireValue | undefined
}

export type WireValue = string | number | boolean | null | WireObject | readonly WireValue[]

/** How deep objects and lists may lie in one another; what people write is half as deep. */
export const MAX_DEPTH = 16

/** The most items of a list, and the most names of an object, that are looked at; the rest is left out. */
export const MAX_ITEMS = 1_000

/** Whole graphs and reversed relations say the same in another shape, which only somebody with a plan would choose. */
const REFUSED = new Set(['@graph', '@included', '@reverse'])

/** Hidden recipients are nobody's business, not even ours. */
const DROPPED = new Set(['bto', 'bcc', '__proto__'])

const PREFIXES = ['as:', `${ACTIVITY_STREAMS}#`]

const KEYWORDS: Record<string, string> = { '@id': 'id', '@type': 'type' }

/**
 * Brings a parsed document into one plain form: `@id`, `@type` and names with the vocabulary's prefix in their short
 * spelling, JSON-LD's value and list objects as what they hold, texts that a database can hold. Of `@context` only the
 * names of vocabularies stay, at the top: nothing is fetched, and no definition changes what a name means here.
 * @throws Unreadable for what is no object, is too deep, names a thing twice or is a graph
 */
export function normalise(value: unknown): WireObject {
  if (!isRecord(value)) throw new Unreadable('A document is an object')
  return object(value, 1)
}

function object(from: Record<string, unknown>, depth: number): WireObject {
  if (depth > MAX_DEPTH) throw new Unreadable('A document must not be so deep')
  const result: Record<string, WireValue> = {}
  let left = MAX_ITEMS
  for (const key in from) {
    if (REFUSED.has(key)) throw new Unreadable(`A document must not have ${key}`)
    const name = nameOf(key)
    if (name === null || DROPPED.has(name) || left === 0) continue
    if (name === '@context') {
      if (depth === 1) result[name] = vocabularies(from[key])
      continue
    }
    left -= 1
    const inner = wire(from[key], depth + 1)
    if (inner === undefined) continue
    if (Object.hasOwn(result, name)) throw new Unreadable(`A document says ${name} twice`)
    result[name] = name === 'type' ? types(inner) : inner
  }
  return result
}

function wire(value: unknown, depth: number): WireValue | undefined {
  if (typeof value === 'string') return clean(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return list(value, depth)
  return isRecord(value) ? boxed(value, depth) : undefined
}

function list(values: readonly unknown[], depth: number): WireValue[] {
  if (depth > MAX_DEPTH) throw new Unreadable('A document must not be so deep')
  const result: WireValue[] = []
  for (let at = 0; at < values.length && at < MAX_ITEMS; at += 1) {
    const item = wire(values[at], depth + 1)
    if (item !== undefined && item !== null) result.push(item)
  }
  return result
}

/** What JSON-LD's objects around a value or a list hold; any other object as it is. */
function boxed(value: Record<string, unknown>, depth: number): WireValue | undefined {
  for (const box of ['@value', '@list', '@set']) {
    if (!Object.hasOwn(value, box)) continue
    const inner = value[box]
    if (box === '@value') return typeof inner === 'object' ? undefined : wire(inner, depth)
    return list(Array.isArray(inner) ? inner : [inner], depth)
  }
  return object(value, depth)
}

/** The short spelling of a name; null for JSON-LD's other keywords. */
function nameOf(key: string): string | null {
  if (key === '@context') return key
  if (key.startsWith('@')) return KEYWORDS[key] ?? null
  const name = withoutPrefix(clean(key))
  return name.startsWith('@') ? null : name
}

function types(value: WireValue): WireValue {
  if (typeof value === 'string') return withoutPrefix(value)
  return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? withoutPrefix(one) : one)) : value
}

function withoutPrefix(name: string): string {
  let start = 0
  for (;;) {
    const prefix = PREFIXES.find((one) => name.startsWith(one, start))
    if (prefix === undefined) return name.slice(start)
    start += prefix.length
  }
}

/** Vocabularies by their names. Definitions written out are ignored, whatever they define. */
function vocabularies(context: unknown): string[] {
  const all = Array.isArray(context) ? context.slice(0, MAX_ITEMS) : [context]
  return all.filter((one) => typeof one === 'string').map(clean)
}

/** PostgreSQL holds neither NUL nor half characters. */
function clean(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
