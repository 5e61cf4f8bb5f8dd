import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { Actor } from '../core/record-audit-entry.ts'

const findReport = statement<{ params: { reportId: string; accountId: string }; row: { status_ids: string[] } }>(
  `select status_ids from reports where id = $reportId and target_account_id = $accountId`,
)
const resolve = statement<{
  params: { accountId: string; reportId: string | null; byAccountId: string | null; now: Date }
  row: { id: string }
}>(
  `update reports set action_taken_at = $now, action_taken_by_account_id = $byAccountId, updated_at = $now
   where target_account_id = $accountId and action_taken_at is null and ($reportId::bigint is null or id = $reportId)
   returning id`,
)

/**
 * Resolves the open reports about an account against which the staff took action. If the user was only warned, the
 * other reports may still require action, so only the given one is resolved, if any. Returns the ids of the statuses in
 * the given report.
 * @throws NotFoundError if the given report is not about the account
 */
export async function resolveReportsAfterAction(
  tx: Tx,
  {
    accountId,
    reportId,
    by,
    isOnlyWarned,
  }: { accountId: string; reportId: string | null; by: Actor; isOnlyWarned: boolean },
): Promise<string[]> {
  const statusIds = reportId === null ? [] : await findReportedStatuses(tx, { reportId, accountId })
  if (isOnlyWarned && reportId === null) return statusIds
  const resolved = await resolve(tx.db, {
    accountId,
    reportId: isOnlyWarned ? reportId : null,
    byAccountId: by?.accountId ?? null,
    now: tx.now,
  })
  for (const { id } of resolved) tx.emit('report.updated', { reportId: id })
  return statusIds
}

// The reports that an action resolves have the time of its strike, which is of the same transaction.
const reopen = statement<{ params: { accountId: string; action: string; now: Date }; row: { id: string } }>(
  `update reports set action_taken_at = null, action_taken_by_account_id = null, updated_at = $now
   where target_account_id = $accountId and action_taken_at = (
     select w.created_at from account_warnings w
     where w.target_account_id = $accountId and w.action = $action order by w.id desc limit 1)
   returning id`,
)

/** Makes the reports unresolved again that the latest action of this kind against an account resolved. */
export async function reopenReportsAfterUndo(
  tx: Tx,
  { accountId, action }: { accountId: string; action: 'disable' | 'sensitive' | 'silence' | 'suspend' },
): Promise<void> {
  for (const { id } of await reopen(tx.db, { accountId, action, now: tx.now }))
    tx.emit('report.updated', { reportId: id })
}

async function findReportedStatuses(tx: Tx, report: { reportId: string; accountId: string }): Promise<string[]> {
  const [found] = isId(report.reportId) ? await findReport(tx.db, report) : []
  if (!found) throw new NotFoundError()
  return found.status_ids
}
