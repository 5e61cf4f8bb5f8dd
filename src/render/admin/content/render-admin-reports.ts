import type { StaffMember } from '../../../domain/access/permissions.ts'
import type { CachedRead } from '../../../domain/context.ts'
import type { RuleRow } from '../../../domain/instance/rules.ts'
import type { AdminReport } from '../../../entities/admin/content/admin-report.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'
import { statement } from '../../../platform/db/statement.ts'
import { renderCollectionMap } from '../../collections/render-collections.ts'
import { renderStatusMap } from '../../statuses/render-statuses.ts'
import { renderAdminAccountMap } from '../accounts/render-admin-accounts.ts'

interface ReportRow {
  id: string
  account_id: string
  target_account_id: string
  assigned_account_id: string | null
  action_taken_by_account_id: string | null
  status_ids: string[]
  collection_ids: string[]
  rule_ids: string[]
  comment: string
  category: AdminReport['category']
  forwarded: boolean
  action_taken_at: Date | null
  created_at: Date
  updated_at: Date
}

const findReports = statement<{ params: { ids: readonly string[] }; row: ReportRow }>(
  `select id, account_id, target_account_id, assigned_account_id, action_taken_by_account_id, status_ids, collection_ids,
     rule_ids, comment, category, forwarded, action_taken_at, created_at, updated_at
   from reports where id = any($ids::bigint[])`,
)
// Reports also refer to rules that were deleted since.
const findRules = statement<{ params: { ids: readonly string[] }; row: RuleRow }>(
  `select id, text, hint, translations from rules where id = any($ids::bigint[]) order by id`,
)

/**
 * Returns reports in the order of the ids; unknown ids are omitted. Their statuses include those that the member of the
 * staff cannot see in timelines, and those that were deleted since: they are evidence until the report is resolved.
 */
export async function renderAdminReports(
  read: CachedRead,
  { ids, staff }: { ids: readonly string[]; staff: StaffMember },
): Promise<EntityJson<AdminReport>[]> {
  if (ids.length === 0) return []
  const reports = await findReports(read.db, { ids })
  const accountIds = new Set(
    reports
      .flatMap((report) => [
        report.account_id,
        report.target_account_id,
        report.assigned_account_id ?? [],
        report.action_taken_by_account_id ?? [],
      ])
      .flat(),
  )
  const [accounts, statuses, collections, rules] = await Promise.all([
    renderAdminAccountMap(read, { ids: [...accountIds], staff }),
    renderStatusMap(read, {
      ids: [...new Set(reports.flatMap((report) => report.status_ids))],
      viewerId: staff.accountId,
    }),
    renderCollectionMap(read, {
      ids: [...new Set(reports.flatMap((report) => report.collection_ids))],
      viewerId: staff.accountId,
    }),
    findRules(read.db, { ids: [...new Set(reports.flatMap((report) => report.rule_ids))] }),
  ])
  const byId = new Map(reports.map((report) => [report.id, report]))
  return ids.flatMap((id) => {
    const report = byId.get(id)
    const account = report && accounts.get(report.account_id)
    const target = report && accounts.get(report.target_account_id)
    if (!account || !target) return []
    return [
      entityJson<AdminReport>({
        id: report.id,
        action_taken: report.action_taken_at !== null,
        action_taken_at: report.action_taken_at?.toISOString() ?? null,
        category: report.category,
        comment: report.comment,
        forwarded: report.forwarded,
        created_at: report.created_at.toISOString(),
        updated_at: report.updated_at.toISOString(),
        account,
        target_account: target,
        assigned_account: accounts.get(report.assigned_account_id ?? '') ?? null,
        action_taken_by_account: accounts.get(report.action_taken_by_account_id ?? '') ?? null,
        statuses: report.status_ids.map((status) => statuses.get(status)).filter((status) => status !== undefined),
        collections: report.collection_ids.flatMap((collection) => collections.get(collection) ?? []),
        rules: rules.filter((rule) => report.rule_ids.includes(rule.id)),
      }),
    ]
  })
}

/** Returns one report (Mastodon: GET /api/v1/admin/reports/:id). @throws NotFoundError */
export async function renderAdminReport(
  read: CachedRead,
  { id, staff }: { id: string; staff: StaffMember },
): Promise<EntityJson<AdminReport>> {
  const [report] = isId(id) ? await renderAdminReports(read, { ids: [id], staff }) : []
  if (report === undefined) throw new NotFoundError()
  return report
}
