import { countJson } from './count-json.ts'
import type { JsonCounts } from './count-json.ts'
import { MAX_DEPTH, normalizeDocument } from './normalize.ts'
import type { WireObject } from './normalize.ts'
import { InvalidDocumentError } from './invalid-document-error.ts'

/** The size of the largest accepted document. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024

/** Limits of a document. Names and values cost `JSON.parse` and the readers far more than bytes of text. */
export interface DocumentLimits {
  bytes: number
  /** All names of members of all objects. */
  names: number
  /** Distinct names: each costs as much as a hundred bytes of text. */
  distinctNames: number
  values: number
}

/**
 * The limits for a verified sender, and for documents that this server fetches. 1 MB holds 10,000 mentions (30,000
 * names), of which the readers use the first ones (`objects/read/limits.ts`). The worst document takes 40 ms.
 */
const DOCUMENT_LIMITS: DocumentLimits = {
  bytes: MAX_DOCUMENT_BYTES,
  names: 40_000,
  distinctNames: 2_000,
  values: 60_000,
}

/**
 * The limits for an unverified sender. A profile has 200 names and 10 KB, a deletion a few names and 1 KB. The worst
 * document takes 2 ms.
 */
export const UNVERIFIED_SENDER_LIMITS: DocumentLimits = {
  bytes: 128 * 1024,
  names: 500,
  distinctNames: 500,
  values: 5_000,
}

/** Throws for invalid UTF-8, and preserves a byte order mark, so that the text is invalid JSON. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses the bytes of a document and normalises it (see `normalizeDocument`).
 * @throws InvalidDocumentError if it exceeds the limits, is not UTF-8 or not JSON, or has a name twice
 */
export function parseDocument(bytes: Uint8Array, limits = DOCUMENT_LIMITS): WireObject {
  const counts = countWithinLimits(bytes, limits)
  if (!counts) throw new InvalidDocumentError('A document must not be so large or nested so deeply')
  const value = parse(decode(bytes))
  // Parsers differ in which of two equal names they use, so duplicates are refused.
  if (counts.names !== countEntries(value)) throw new InvalidDocumentError('A document must not have a name twice')
  return normalizeDocument(value)
}

/** Returns whether a document is within limits, without parsing it. */
export function isWithinLimits(bytes: Uint8Array, limits: DocumentLimits): boolean {
  return countWithinLimits(bytes, limits) !== null
}

function countWithinLimits(bytes: Uint8Array, { bytes: maxBytes, ...limits }: DocumentLimits): JsonCounts | null {
  return bytes.length > maxBytes ? null : countJson(bytes, { ...limits, depth: MAX_DEPTH })
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new InvalidDocumentError('A document must be in UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidDocumentError('A document must be valid JSON')
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
