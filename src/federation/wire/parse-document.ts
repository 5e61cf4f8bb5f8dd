import { countJson } from './count-json.ts'
import type { JsonCounts } from './count-json.ts'
import { MAX_DEPTH, normalise } from './normalise.ts'
import type { WireObject } from './normalise.ts'
import { Unreadable } from './unreadable.ts'

/** The largest document that is read. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024

/** What a document may hold. Names and values cost `JSON.parse` and its readers far more than bytes of text. */
export interface DocumentLimits {
  bytes: number
  /** All names of all objects. */
  names: number
  /** Names that are spelled differently: each costs as much as a hundred bytes of text. */
  distinctNames: number
  values: number
}

/**
 * Of a sender who is known, or a document that this server wants. 1 MB holds 10,000 mentions (30,000 names), of which
 * the readers take the first (`objects/limits.ts`). The worst document takes 40 ms.
 */
const DOCUMENT_LIMITS: DocumentLimits = {
  bytes: MAX_DOCUMENT_BYTES,
  names: 40_000,
  distinctNames: 2_000,
  values: 60_000,
}

/**
 * Of a sender who has proven nothing. A profile has 200 names and 10 KB, a deletion a few names and 1 KB. The worst
 * document takes 2 ms.
 */
export const UNPROVEN_LIMITS: DocumentLimits = { bytes: 128 * 1024, names: 500, distinctNames: 500, values: 5_000 }

/** Decodes invalid UTF-8 to an error, and keeps a byte order mark, which is then no JSON. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads the bytes of a document into its plain form (see `normalise`).
 * @throws Unreadable for what passes the limits, is too deep, no UTF-8, no JSON, or says something twice
 */
export function parseDocument(bytes: Uint8Array, limits = DOCUMENT_LIMITS): WireObject {
  const counts = countWithin(bytes, limits)
  if (!counts) throw new Unreadable('A document must not be so large or so deep')
  const value = parse(decode(bytes))
  // Readers differ in which of two they believe, so there must not be two.
  if (counts.names !== countEntries(value)) throw new Unreadable('A document says something twice')
  return normalise(value)
}

/** Whether a document keeps within limits, found out without parsing it. */
export function isWithin(bytes: Uint8Array, limits: DocumentLimits): boolean {
  return countWithin(bytes, limits) !== null
}

function countWithin(bytes: Uint8Array, { bytes: maxBytes, ...limits }: DocumentLimits): JsonCounts | null {
  return bytes.length > maxBytes ? null : countJson(bytes, { ...limits, depth: MAX_DEPTH })
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Unreadable('A document is written in UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable('A document is written in JSON')
  }
}

function countEntries(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let entries = 0
  if (Array.isArray(value)) {
    for (const item of value) entries += countEntries(item)
    return entries
  }
  const record = value as Record<string, unknown>
  for (const name in record) entries += 1 + countEntries(record[name])
  return entries
}
