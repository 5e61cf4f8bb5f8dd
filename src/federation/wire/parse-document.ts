import { MAX_DEPTH, normalise } from './normalise.ts'
import type { WireObject } from './normalise.ts'
import { Unreadable } from './unreadable.ts'

/** The largest document that is read. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/**
 * Reads the bytes of a document into its plain form (see `normalise`).
 * @throws Unreadable for what is too large, no UTF-8, no JSON, too deep, or says something twice
 */
export function parseDocument(bytes: Uint8Array): WireObject {
  if (bytes.length > MAX_DOCUMENT_BYTES) throw new Unreadable('A document must not be so large')
  const text = decode(bytes)
  const names = countNames(text)
  const value = parse(text)
  // Readers differ in which of two they believe, so there must not be two.
  if (names !== countEntries(value)) throw new Unreadable('A document says something twice')
  return normalise(value)
}

function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark stays, and is then no JSON.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
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

/** How many names a text of JSON has. Also refuses depth before anything is built from it. */
function countNames(text: string): number {
  let names = 0
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) names += 1
    else if (OPENING.has(code)) {
      depth += 1
      if (depth > MAX_DEPTH) throw new Unreadable('A document must not be so deep')
    } else if (CLOSING.has(code)) depth -= 1
  }
  return names
}

/** Where a string ends that begins at `start`; the end of the text when it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return text.length
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
