import { NotFound } from '../lib/errors.ts'
import type { Read } from '../domain/context.ts'
import type { Report } from '../entities/report.ts'
import { jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccountMap } from './accounts.ts'

interface ReportFacts {
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

const load = statement<ReportFacts>(
  `select id, target_account_id, status_ids, rule_ids, collection_ids, comment, category, forwarded, action_taken_at,
     created_at
   from reports where id = any($1::bigint[])`,
)

/** Reports by their ids, without a word on who made them; unknown ids have no entry. */
export async function renderReportMap(
  read: Read,
  { ids }: { ids: readonly string[] },
): Promise<Map<string, Json<Report>>> {
  if (ids.length === 0) return new Map()
  const rows = await load(read.db, [ids])
  const accounts = await renderAccountMap(read, { ids: rows.map((row) => row.target_account_id) })
  const reports = new Map<string, Json<Report>>()
  for (const row of rows) {
    const account = accounts.get(row.target_account_id)
    if (account === undefined) continue
    reports.set(
      row.id,
      jsonObject<Report>({
        id: toJson(row.id),
        action_taken: toJson(row.action_taken_at !== null),
        action_taken_at: toJson(row.action_taken_at?.toISOString() ?? null),
        category: toJson(row.category),
        comment: toJson(row.comment),
        forwarded: toJson(row.forwarded),
        created_at: toJson(row.created_at.toISOString()),
        status_ids: toJson(row.status_ids),
        rule_ids: toJson(row.rule_ids),
        collection_ids: toJson(row.collection_ids),
        target_account: account,
      }),
    )
  }
  return reports
}

/** One report. @throws NotFound */
export async function renderReport(read: Read, { id }: { id: string }): Promise<Json<Report>> {
  const report = (await renderReportMap(read, { ids: [id] })).get(id)
  if (report === undefined) throw new NotFound()
  return report
}
