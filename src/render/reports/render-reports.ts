import type { CachedRead } from '../../domain/context.ts'
import type { Report } from '../../entities/instance/report.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { renderAccountMap } from '../accounts/render-accounts.ts'

interface ReportRow {
  id: string
  target_account_id: string
  status_ids: string[]
  rule_ids: string[]
  collection_ids: string[]
  comment: string
  category: Report['category']
  forwarded: boolean
  action_taken_at: Date | null
  created_at: Date
}

const select = statement<{ params: { ids: readonly string[] }; row: ReportRow }>(
  `select id, target_account_id, status_ids, rule_ids, collection_ids, comment, category, forwarded, action_taken_at,
     created_at
   from reports where id = any($ids::bigint[])`,
)

/** Returns reports by their ids, without the reporting accounts; unknown ids have no entry. */
export async function renderReportMap(
  read: CachedRead,
  { ids }: { ids: readonly string[] },
): Promise<Map<string, EntityJson<Report>>> {
  if (ids.length === 0) return new Map()
  const rows = await select(read.db, { ids })
  const accounts = await renderAccountMap(read, { ids: rows.map((row) => row.target_account_id) })
  const reports = new Map<string, EntityJson<Report>>()
  for (const row of rows) {
    const account = accounts.get(row.target_account_id)
    if (account === undefined) continue
    const report = entityJson<Report>({
      id: row.id,
      action_taken: row.action_taken_at !== null,
      action_taken_at: row.action_taken_at?.toISOString() ?? null,
      category: row.category,
      comment: row.comment,
      forwarded: row.forwarded,
      created_at: row.created_at.toISOString(),
      status_ids: row.status_ids,
      rule_ids: row.rule_ids,
      collection_ids: row.collection_ids,
      target_account: account,
    })
    reports.set(row.id, report)
  }
  return reports
}

/** Returns one report. @throws NotFoundError */
export async function renderReport(read: CachedRead, { id }: { id: string }): Promise<EntityJson<Report>> {
  const report = (await renderReportMap(read, { ids: [id] })).get(id)
  if (report === undefined) throw new NotFoundError()
  return report
}
