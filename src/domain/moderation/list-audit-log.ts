import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'

/** Conditions on the entries; null: any value. */
export interface AuditLogFilters {
  /** The member of the staff. */
  accountId: string | null
  action: string | null
  targetType: string | null
  targetId: string | null
}

export interface AuditLogRow {
  id: string
  account_id: string | null
  action: string
  target_type: string
  target_id: string | null
  label: string
  details: Record<string, unknown>
  created_at: Date
}

interface AuditLogQuery {
  params: AuditLogFilters & PageParameters
  row: AuditLogRow
}

const KEYSET = keysetClause('id')
const SELECT = `select id, account_id, action, target_type, target_id, label, details, created_at from audit_log_entries
  where ($accountId::bigint is null or account_id = $accountId) and ($action::text is null or action = $action)
    and ($targetType::text is null or target_type = $targetType)
    and ($targetId::bigint is null or target_id = $targetId) and ${KEYSET.where}`

const listDescending = statement<AuditLogQuery>(`${SELECT} ${KEYSET.descending}`)
const listAscending = statement<AuditLogQuery>(`${SELECT} ${KEYSET.ascending}`)

/** Returns a page of the audit log, newest first. */
export async function listAuditLog(
  read: Read,
  { filters, page }: { filters: AuditLogFilters; page: Page },
): Promise<AuditLogRow[]> {
  const params = { ...filters, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}
