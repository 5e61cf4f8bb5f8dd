import type { Report } from '../../entities/report.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'

export type Category = Report['category']

export interface NewReport {
  accountId: string
  targetAccountId: string
  statusIds: readonly string[]
  collectionIds?: readonly string[]
  ruleIds?: readonly string[]
  comment: string
  category: Category
  forwarded?: boolean
  /** Under what the activity is known that tells of it; null: none does. */
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
 * Writes a report down; null when this activity made one already. The statuses are held by now. Reports of one account
 * come one after the other, so that of several at once only the first is news.
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
