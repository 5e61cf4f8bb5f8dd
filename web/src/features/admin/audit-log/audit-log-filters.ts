import { readTexts } from '../shared/form/read-filters.ts'

const NAMES = ['action', 'targetType', 'targetId', 'accountId'] as const

/** The filters of the audit log, as they stand in the URL and in the API. */
export type AuditLogFilters = { [Name in (typeof NAMES)[number]]?: string }

/** Reads the filters of a URL or a form. An id of a target needs its type. */
export function readAuditLogFilters(search: Record<string, unknown>): AuditLogFilters {
  const { targetId, ...filters } = readTexts(search, NAMES)
  return { ...filters, ...(targetId !== undefined && filters.targetType !== undefined && { targetId }) }
}
