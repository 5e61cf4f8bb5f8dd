import type { Report } from '../../entities/instance/report.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'

export type ReportCategory = Report['category']

export interface NewReport {
  accountId: string
  targetAccountId: string
  statusIds: readonly string[]
  collectionIds?: readonly string[]
  ruleIds?: readonly string[]
  comment: string
  category: ReportCategory
  forwarded?: boolean
  /** The URI of the Flag activity; null: there is none. */
  uri: string | null
}

const insert = statement<{
  params: {
    accountId: string
    targetAccountId: string
    statusIds: readonly string[]
    collectionIds: readonly string[]
    ruleIds: readonly string[]
    comment: string
    category: string
    forwarded: boolean
    reportUri: string | null
    now: Date
  }
  row: { id: string }
}>(
  `insert into reports (account_id, target_account_id, status_ids, collection_ids, rule_ids, comment, category,
     forwarded, uri, created_at, updated_at)
   values ($accountId, $targetAccountId, $statusIds, $collectionIds, $ruleIds, $comment, $category, $forwarded,
     $reportUri, $now, $now)
   on conflict (uri, target_account_id) where uri is not null do nothing returning id`,
)

/**
 * Inserts a report and returns its id; null if the activity was recorded already. The caller has locked the statuses.
 * Reports about one account are serialised, so that of several concurrent ones only the first notifies staff.
 */
export async function insertReport(tx: Tx, report: NewReport): Promise<string | null> {
  await lockAccounts(tx, { ids: [report.targetAccountId] })
  const [row] = await insert(tx.db, {
    accountId: report.accountId,
    targetAccountId: report.targetAccountId,
    statusIds: report.statusIds,
    collectionIds: report.collectionIds ?? [],
    ruleIds: report.ruleIds ?? [],
    comment: report.comment,
    category: report.category,
    forwarded: report.forwarded ?? false,
    reportUri: report.uri,
    now: tx.now,
  })
  return row?.id ?? null
}
