import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'

export interface ReportFilters {
  /** Resolved reports. Without any of the two, the unresolved ones. */
  resolved: boolean
  unresolved: boolean
  /** The reporter; null: any. */
  accountId: string | null
  targetAccountId: string | null
  assignedAccountId: string | null
}

interface ReportQuery {
  params: ReportFilters & PageParameters
  row: { id: string }
}

const KEYSET = keysetClause('r.id')
const WHERE = `(r.action_taken_at is not null and $resolved or r.action_taken_at is null and $unresolved)
  and ($accountId::bigint is null or r.account_id = $accountId)
  and ($targetAccountId::bigint is null or r.target_account_id = $targetAccountId)
  and ($assignedAccountId::bigint is null or r.assigned_account_id = $assignedAccountId)`

const listDescending = statement<ReportQuery>(
  `select r.id from reports r where ${WHERE} and ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<ReportQuery>(
  `select r.id from reports r where ${WHERE} and ${KEYSET.where} ${KEYSET.ascending}`,
)

/** Returns the ids of a page of reports, newest first (Mastodon: GET /api/v1/admin/reports). */
export async function listReports(
  read: Read,
  { filters, page }: { filters: ReportFilters; page: Page },
): Promise<string[]> {
  const unresolved = filters.unresolved || !filters.resolved
  const params = { ...filters, unresolved, ...pageParameters(page) }
  const rows = await readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
  return rows.map((row) => row.id)
}
