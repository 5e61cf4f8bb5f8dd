import { cleanText } from '../../lib/text/clean-text.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { PUBLIC } from './context.ts'
import type { WireObject, WireValue } from './normalize.ts'

type OptionalValue = WireValue | undefined

/** The longest accepted URL. The entries of a PostgreSQL index can be only a little longer. */
const MAX_URL_BYTES = 2_048

/** The greatest value of PostgreSQL's `integer`. */
const MAX_COUNT = 2_147_483_647

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i

/** Returns one value or several as a list. */
export function listOf(value: OptionalValue): readonly WireValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Returns a value that is an object, or the first object in a list; null if there is none. */
export function objectOf(value: OptionalValue): WireObject | null {
  return objectsOf(value, 1)[0] ?? null
}

/** Returns the first `max` objects among the values. */
export function objectsOf(value: OptionalValue, max: number): WireObject[] {
  const found: WireObject[] = []
  for (const one of listOf(value)) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) continue
    found.push(one as WireObject)
    if (found.length === max) break
  }
  return found
}

/** Returns whether an object has one of these types, possibly among others. */
export function isOfType(object: WireObject, types: ReadonlySet<string>): boolean {
  return typesOf(object).some((type) => types.has(type))
}

export function typesOf(object: WireObject): string[] {
  return listOf(object['type']).filter((type) => typeof type === 'string')
}

/**
 * Returns the id of the object that a value references or embeds, exactly as received; null unless it is an http(s)
 * URL.
 */
export function idOf(value: OptionalValue): string | null {
  const [first] = listOf(value)
  const id = typeof first === 'object' && first !== null ? (first as WireObject)['id'] : first
  return typeof id === 'string' && isHttpUrl(id) ? id : null
}

/** Returns the first `max` distinct ids of a list. */
export function idsOf(value: OptionalValue, max: number): string[] {
  const ids = new Set<string>()
  for (const one of listOf(value)) {
    const id = idOf(one)
    if (id !== null) ids.add(id)
    if (ids.size === max) break
  }
  return [...ids]
}

/** Returns the distinct addressed ids. All spellings of the public collection become `PUBLIC`. */
export function audienceOf(value: OptionalValue, max: number): string[] {
  const named = listOf(value).map((one) => {
    const id = typeof one === 'object' && one !== null ? (one as WireObject)['id'] : one
    return id === 'as:Public' || id === 'Public' ? PUBLIC : one
  })
  return idsOf(named, max)
}

/**
 * Returns a text, or the first of several, cut to at most `max` UTF-16 units between characters; null if there is none.
 */
export function textOf(value: OptionalValue, max: number): string | null {
  const text = listOf(value).find((one) => typeof one === 'string')
  return typeof text === 'string' ? cut(cleanText(text), max) : null
}

/** Returns a text as a single trimmed line; null if it is empty. */
export function lineOf(value: OptionalValue, max: number): string | null {
  return textOf(value, max)?.replace(/\s+/g, ' ').trim() || null
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}

/** Returns the texts of a language map such as `contentMap`, in the order of the document unless it was stored before. */
export function textsByLanguage(value: OptionalValue): { language: string; text: string }[] {
  const map = objectOf(value)
  if (!map) return []
  return Object.entries(map).flatMap(([language, text]) => (typeof text === 'string' ? [{ language, text }] : []))
}

/** The range of dates that JavaScript and PostgreSQL format and parse alike in every time zone. */
const EARLIEST_MS = 0
const LATEST_MS = Date.UTC(9999, 11, 30)

/**
 * Returns a date, clamped to the years 1970 to 9999; null unless it is a valid ISO 8601 date. A date without a time
 * zone is in UTC.
 */
export function dateOf(value: OptionalValue): Date | null {
  const [text] = listOf(value)
  if (typeof text !== 'string' || !DATE.test(text)) return null
  const zoned = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !/T/i.test(text) ? text : `${text}Z`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? null : new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS))
}

/**
 * Returns a date that can be ordered with local ones: `now` for a date in the future; null if there is no valid date.
 */
export function pastDateOf(value: OptionalValue, now: Date): Date | null {
  const date = dateOf(value)
  if (date === null || date.getTime() <= 0) return null
  return date > now ? now : date
}

/** Returns a count as a non-negative integer that PostgreSQL can store; null unless the value is a number. */
export function countOf(value: OptionalValue): number | null {
  return typeof value === 'number' ? Math.min(Math.max(Math.trunc(value), 0), MAX_COUNT) + 0 : null
}

/** Returns the `totalItems` of a collection. */
export function totalOf(collection: OptionalValue): number | null {
  return countOf(objectOf(collection)?.['totalItems'])
}

export function flagOf(value: OptionalValue): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** A link to a resource, and its declared media type. */
export interface Link {
  url: string
  mediaType: string | null
}

/** Returns the http(s) URLs of a `url` or an `icon` of any shape, as browsers serialise them. */
export function linksOf(value: OptionalValue, max: number): Link[] {
  const found: Link[] = []
  for (const one of listOf(value)) {
    if (found.length === max) break
    const link = readLink(one)
    if (link) found.push(link)
  }
  return found
}

function readLink(value: WireValue): Link | null {
  if (typeof value === 'string') {
    const url = isUnambiguousUrl(value) ? new URL(value).href : null
    // The serialised URL may be several times as long, and columns with it are indexed.
    return url !== null && fitsBytes(url, MAX_URL_BYTES) ? { url, mediaType: null } : null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const object = value as WireObject
  const [target] = linksOf(object['href'] ?? object['url'], 1)
  if (!target) return null
  // Some servers name the media type of a link differently.
  const mediaType = lineOf(object['mediaType'] ?? object['mimeType'], 255)
  return { url: target.url, mediaType: mediaType?.toLowerCase() ?? target.mediaType }
}

/**
 * Returns whether a text is an http(s) URL in which every parser finds the same host: no user name, nothing to strip.
 */
export function isHttpUrl(text: string): boolean {
  return !/\s/.test(text) && isUnambiguousUrl(text)
}

function isUnambiguousUrl(text: string): boolean {
  // URL parsers strip tabs and line ends and read a backslash as a slash; other code doesn't.
  if (!fitsBytes(text, MAX_URL_BYTES) || !/^https?:\/\/[^/?#]/i.test(text) || /[\p{Cc}\\]/u.test(text)) return false
  return !/^https?:\/\/[^/?#]*@/i.test(text) && hostOf(text) !== null
}

/** Returns whether a text has at most so many bytes in UTF-8. */
export function fitsBytes(text: string, maxBytes: number): boolean {
  return text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes
}

/**
 * Returns the canonical host of a URL, by which hosts are compared and blocked, with a port that is not the default.
 */
export function hostOf(address: string): string | null {
  const url = URL.parse(address)
  return url && canonicalDomain(url.host, { keepPort: true })
}

/** Returns whether two URLs have the same host. */
export function isSameHost(one: string, other: string): boolean {
  const host = hostOf(one)
  return host !== null && host === hostOf(other)
}
