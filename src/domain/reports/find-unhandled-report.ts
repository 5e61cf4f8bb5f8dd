import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

export interface UnhandledReport {
  id: string
  accountId: string
  targetAccountId: string
}

const find = statement<{ params: { reportId: string }; row: UnhandledReport }>(
  `select r.id, r.account_id as "accountId", r.target_account_id as "targetAccountId" from reports r
   where r.id = $reportId and r.action_taken_at is null and not exists (
     select from reports other where other.target_account_id = r.target_account_id and other.action_taken_at is null
       and other.id < r.id)
   for key share of r`,
)

/**
 * Returns a report that staff should be notified of; null if it is resolved, or if an older unresolved report is about
 * the same account: staff were notified of that one, and see both there.
 */
export async function findUnhandledReport(
  read: Pick<Read, 'db'>,
  { reportId }: { reportId: string },
): Promise<UnhandledReport | null> {
  const [row] = await find(read.db, { reportId })
  return row ?? null
}
