import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

export interface ReportNews {
  id: string
  accountId: string
  targetAccountId: string
}

const find = statement<{ params: { reportId: string }; row: ReportNews }>(
  `select r.id, r.account_id as "accountId", r.target_account_id as "targetAccountId" from reports r
   where r.id = $reportId and r.action_taken_at is null and not exists (
     select from reports other where other.target_account_id = r.target_account_id and other.action_taken_at is null
       and other.id < r.id)
   for key share of r`,
)

/**
 * A report that the staff is to hear of; null when it is done with, or when there is an older one about the same account
 * that is not: whoever looks at that one sees this one, too.
 */
export async function findReportNews(
  read: Pick<Read, 'db'>,
  { reportId }: { reportId: string },
): Promise<ReportNews | null> {
  const [row] = await find(read.db, { reportId })
  return row ?? null
}
