import { cleanText } from '../../../lib/text/clean-text.ts'
import type { ExportedFilter } from '../exports/export-filters.ts'

const CONTEXTS: ReadonlySet<unknown> = new Set(['home', 'notifications', 'public', 'thread', 'account'])
const ACTIONS: ReadonlySet<unknown> = new Set(['warn', 'hide', 'blur'])

/** More keywords or statuses than this exceed the limits of a user's filters. */
const MAX_ENTRIES = 1_000

/** Reads a filter of an uploaded file; null if it has another form. Whether its texts are too long is checked later. */
export function readFilterEntry(value: unknown): ExportedFilter | null {
  if (!isRecord(value)) return null
  const { title, expires_at: expiresAt = null, context, action = 'warn' } = value
  const keywords = entriesOf(value['keywords_attributes'])?.map(readKeyword)
  const statuses = entriesOf(value['statuses'])
  if (typeof title !== 'string' || !Array.isArray(context) || !ACTIONS.has(action)) return null
  if (!context.every((one) => CONTEXTS.has(one)) || !keywords || !statuses) return null
  if (expiresAt !== null && (typeof expiresAt !== 'string' || Number.isNaN(Date.parse(expiresAt)))) return null
  if (!statuses.every((one) => typeof one === 'string') || keywords.includes(null)) return null
  return {
    title: cleanText(title),
    expires_at: expiresAt,
    context: context as string[],
    action: action as string,
    keywords_attributes: keywords as ExportedFilter['keywords_attributes'],
    statuses: statuses.map(cleanText),
  }
}

function readKeyword(value: unknown): ExportedFilter['keywords_attributes'][number] | null {
  if (!isRecord(value) || typeof value['keyword'] !== 'string') return null
  return { keyword: cleanText(value['keyword']), whole_word: value['whole_word'] !== false }
}

function entriesOf(value: unknown): unknown[] | null {
  if (value === undefined || value === null) return []
  return Array.isArray(value) && value.length <= MAX_ENTRIES ? value : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
