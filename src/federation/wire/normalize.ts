import { ACTIVITY_STREAMS } from './context.ts'
import { InvalidDocumentError } from './invalid-document-error.ts'

/** A remote document in normalised form and within the limits. Its contents are unverified. */
export interface WireObject {
  readonly [name: string]: WireValue | undefined
}

export type WireValue = string | number | boolean | null | WireObject | readonly WireValue[]

/** The greatest nesting of objects and arrays. Real documents are half as deep. */
export const MAX_DEPTH = 16

/** The number of items of an array, and of names of an object, that are read; the rest is ignored. */
export const MAX_ITEMS = 1_000

/** Graphs and reverse properties express the same data in another shape, which only an attacker would choose. */
const FORBIDDEN_KEYWORDS = new Set(['@graph', '@included', '@reverse'])

/** Hidden recipients must not be delivered (ActivityPub §6), so they are ignored if a server reveals them. */
const DROPPED_NAMES = new Set(['bto', 'bcc', '__proto__'])

const PREFIXES = ['as:', `${ACTIVITY_STREAMS}#`]

/**
 * The spellings of the vocabulary's URL that occur in contexts, and the URL of a context that imports the vocabulary:
 * each server of Pleroma has a copy, and wafrn names only its own copy in an Update or Delete.
 */
const CONTEXT_URL =
  /^https?:\/\/(?:www\.w3\.org\/ns\/activitystreams#?|[^/?#]+\/(?:contexts|schemas)\/litepub-0\.1\.jsonld)$/

/** Texts and the maps that have them in several languages. */
const LANGUAGE_MAPS = [
  ['content', 'contentMap'],
  ['name', 'nameMap'],
  ['summary', 'summaryMap'],
] as const

const KEYWORDS: Record<string, string> = { '@id': 'id', '@type': 'type' }

/**
 * Normalises a parsed JSON-LD document: `@id`, `@type` and names with the vocabulary's prefix get their short spelling,
 * JSON-LD's value and list objects are replaced by their contents, and texts are limited to what PostgreSQL can store.
 * A text that only a language map has is that of its first language: PostgreSQL does not store the order of names.
 * Of `@context`, only the URLs of vocabularies remain, at the top level: no context is fetched, and no definition
 * changes the meaning of a name.
 * @throws InvalidDocumentError if it is no object, is too deep, has a name twice or is a graph
 */
export function normalizeDocument(value: unknown): WireObject {
  if (!isRecord(value)) throw new InvalidDocumentError('A document must be an object')
  return normalizeObject(value, 1)
}

/** Returns whether the context of a normalised document names Activity Streams. Embedded objects have no context. */
export function isActivityStreams(document: WireObject): boolean {
  const context = document['@context']
  return Array.isArray(context) && context.some((one) => typeof one === 'string' && CONTEXT_URL.test(one))
}

function normalizeObject(from: Record<string, unknown>, depth: number): WireObject {
  if (depth > MAX_DEPTH) throw new InvalidDocumentError('A document must not be nested so deeply')
  const result: Record<string, WireValue> = {}
  let remaining = MAX_ITEMS
  for (const key in from) {
    if (FORBIDDEN_KEYWORDS.has(key)) throw new InvalidDocumentError(`A document must not have ${key}`)
    const name = normalizeName(key)
    if (name === null || DROPPED_NAMES.has(name) || remaining === 0) continue
    if (name === '@context') {
      if (depth === 1) result[name] = listVocabularies(from[key])
      continue
    }
    remaining -= 1
    const inner = normalizeValue(from[key], depth + 1)
    if (inner === undefined) continue
    if (Object.hasOwn(result, name)) throw new InvalidDocumentError(`A document must not have ${name} twice`)
    result[name] = name === 'type' ? normalizeTypes(inner) : inner
  }
  for (const [text, map] of LANGUAGE_MAPS) {
    if (Object.hasOwn(result, map)) result[text] ??= firstTextOf(result[map])
  }
  return result
}

/** Returns the first text of a language map; null if it has none. */
function firstTextOf(map: WireValue | undefined): string | null {
  return isRecord(map) ? (Object.values(map).find((text) => typeof text === 'string') ?? null) : null
}

function normalizeValue(value: unknown, depth: number): WireValue | undefined {
  if (typeof value === 'string') return sanitizeText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'boolean' || value === null) return value
  if (Array.isArray(value)) return normalizeList(value, depth)
  return isRecord(value) ? unwrapValueObject(value, depth) : undefined
}

function normalizeList(values: readonly unknown[], depth: number): WireValue[] {
  if (depth > MAX_DEPTH) throw new InvalidDocumentError('A document must not be nested so deeply')
  const result: WireValue[] = []
  for (let at = 0; at < values.length && at < MAX_ITEMS; at += 1) {
    const item = normalizeValue(values[at], depth + 1)
    if (item !== undefined && item !== null) result.push(item)
  }
  return result
}

/** Returns the contents of a JSON-LD value, list or set object, and any other object normalised. */
function unwrapValueObject(value: Record<string, unknown>, depth: number): WireValue | undefined {
  for (const keyword of ['@value', '@list', '@set']) {
    if (!Object.hasOwn(value, keyword)) continue
    const inner = value[keyword]
    if (keyword === '@value') return typeof inner === 'object' ? undefined : normalizeValue(inner, depth)
    return normalizeList(Array.isArray(inner) ? inner : [inner], depth)
  }
  return normalizeObject(value, depth)
}

/** Returns the short spelling of a name; null for JSON-LD's other keywords. */
function normalizeName(key: string): string | null {
  if (key === '@context') return key
  if (key.startsWith('@')) return KEYWORDS[key] ?? null
  const name = withoutPrefix(sanitizeText(key))
  return name.startsWith('@') ? null : name
}

function normalizeTypes(value: WireValue): WireValue {
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

/** Returns the URLs of the vocabularies in a context. Inline definitions are ignored. */
function listVocabularies(context: unknown): string[] {
  const all = Array.isArray(context) ? context.slice(0, MAX_ITEMS) : [context]
  return all.filter((one) => typeof one === 'string').map(sanitizeText)
}

/** Removes NUL and replaces unpaired surrogates, which PostgreSQL cannot store. */
function sanitizeText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
