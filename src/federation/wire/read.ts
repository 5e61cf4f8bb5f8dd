import { cleanText } from '../../lib/text/cleanText.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { PUBLIC } from './context.ts'
import type { WireObject, WireValue } from './normalise.ts'

type Value = WireValue | undefined

/** The longest address that counts as one. An index of the database holds entries of a little more. */
const MAX_URL_BYTES = 2_048

/** What PostgreSQL's `integer` holds. */
const MAX_COUNT = 2_147_483_647

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i

/** One or many, as a list. */
export function listOf(value: Value): readonly WireValue[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** The object that a value is, or the first in a list; null where there is none. */
export function objectOf(value: Value): WireObject | null {
  return objectsOf(value, 1)[0] ?? null
}

export function objectsOf(value: Value, max: number): WireObject[] {
  const found: WireObject[] = []
  for (const one of listOf(value)) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) continue
    found.push(one as WireObject)
    if (found.length === max) break
  }
  return found
}

/** Whether an object is of one of these types; it may be of others beside. */
export function isOfType(object: WireObject, types: ReadonlySet<string>): boolean {
  return typesOf(object).some((type) => types.has(type))
}

export function typesOf(object: WireObject): string[] {
  return listOf(object['type']).filter((type) => typeof type === 'string')
}

/** The id of what a value names or holds, letter by letter as it was written; null for what is no http(s) address. */
export function idOf(value: Value): string | null {
  const [first] = listOf(value)
  const id = typeof first === 'object' && first !== null ? (first as WireObject)['id'] : first
  return typeof id === 'string' && isAddress(id) ? id : null
}

/** The ids of a list, each once. */
export function idsOf(value: Value, max: number): string[] {
  const ids = new Set<string>()
  for (const one of listOf(value)) {
    const id = idOf(one)
    if (id !== null) ids.add(id)
    if (ids.size === max) break
  }
  return [...ids]
}

/** Those who are addressed, each once; everybody in the one spelling `PUBLIC`. */
export function audienceOf(value: Value, max: number): string[] {
  const named = listOf(value).map((one) => {
    const id = typeof one === 'object' && one !== null ? (one as WireObject)['id'] : one
    return id === 'as:Public' || id === 'Public' ? PUBLIC : one
  })
  return idsOf(named, max)
}

/** A text, or the first of several; null where there is none. At most `max` UTF-16 units, cut between characters. */
export function textOf(value: Value, max: number): string | null {
  const text = listOf(value).find((one) => typeof one === 'string')
  return typeof text === 'string' ? cut(cleanText(text), max) : null
}

/** A text for one line, without blanks at its ends; null where nothing is left. */
export function lineOf(value: Value, max: number): string | null {
  return textOf(value, max)?.replace(/\s+/g, ' ').trim() || null
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '')
}

/** A text by languages, as `contentMap` holds it: in the order of the document, only texts. */
export function textsByLanguage(value: Value): { language: string; text: string }[] {
  const map = objectOf(value)
  if (!map) return []
  return Object.entries(map).flatMap(([language, text]) => (typeof text === 'string' ? [{ language, text }] : []))
}

/** What JavaScript and PostgreSQL, in any zone of theirs, write alike and read again. */
const EARLIEST_MS = 0
const LATEST_MS = Date.UTC(9999, 11, 30)

/**
 * A moment, from 1970 to the end of 9999; null for what is no ISO 8601 date, or one that no calendar has. Without a zone
 * it is UTC.
 */
export function dateOf(value: Value): Date | null {
  const [text] = listOf(value)
  if (typeof text !== 'string' || !DATE.test(text)) return null
  const zoned = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !/T/i.test(text) ? text : `${text}Z`
  const ms = Date.parse(zoned)
  return Number.isNaN(ms) ? null : new Date(Math.min(Math.max(ms, EARLIEST_MS), LATEST_MS))
}

/** A moment that can be put in order with ours: what claims to come from the future came now. null: no such moment. */
export function momentOf(value: Value, now: Date): Date | null {
  const date = dateOf(value)
  if (date === null || date.getTime() <= 0) return null
  return date > now ? now : date
}

/** A number of things, brought into what can be counted; null for what is no number. */
export function countOf(value: Value): number | null {
  return typeof value === 'number' ? Math.min(Math.max(Math.trunc(value), 0), MAX_COUNT) + 0 : null
}

/** How many things a collection says that it holds. */
export function totalOf(collection: Value): number | null {
  return countOf(objectOf(collection)?.['totalItems'])
}

export function flagOf(value: Value): boolean | null {
  return typeof value === 'boolean' ? value : null
}

/** One way to what is linked, with what is said of it. */
export interface Link {
  url: string
  mediaType: string | null
}

/** The http(s) addresses that a `url` or an `icon` holds, however it is written, in the spelling that browsers use. */
export function linksOf(value: Value, max: number): Link[] {
  const found: Link[] = []
  for (const one of listOf(value)) {
    if (found.length === max) break
    const link = linkOf(one)
    if (link) found.push(link)
  }
  return found
}

function linkOf(value: WireValue): Link | null {
  if (typeof value === 'string') return isPlain(value) ? { url: new URL(value).href, mediaType: null } : null
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const object = value as WireObject
  const [target] = linksOf(object['href'] ?? object['url'], 1)
  if (!target) return null
  return { url: target.url, mediaType: lineOf(object['mediaType'], 255)?.toLowerCase() ?? target.mediaType }
}

/** Whether a text is an address whose every reader finds the same host: http(s), no user name, nothing to drop. */
export function isAddress(text: string): boolean {
  return !/\s/.test(text) && isPlain(text)
}

function isPlain(text: string): boolean {
  // Parsers drop tabs and line ends and take a backslash for a slash; other readers don't.
  if (!fits(text, MAX_URL_BYTES) || !/^https?:\/\/[^/?#]/i.test(text) || /[\p{Cc}\\]/u.test(text)) return false
  return !/^https?:\/\/[^/?#]*@/i.test(text) && hostOf(text) !== null
}

/** Whether a text is at most so long in UTF-8. */
export function fits(text: string, maxBytes: number): boolean {
  return text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes
}

/** The host of an address in the one spelling under which hosts are compared and blocked, with an unusual port. */
export function hostOf(address: string): string | null {
  const url = URL.parse(address)
  return url && canonicalDomain(url.host, { keepPort: true })
}

/** Whether two addresses lie at one host. */
export function isSameHost(one: string, other: string): boolean {
  const host = hostOf(one)
  return host !== null && host === hostOf(other)
}
