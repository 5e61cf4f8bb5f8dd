import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import type { WarningAction } from '../accounts/warn-account.ts'

export interface AccountWarning {
  id: string
  action: WarningAction
  text: string
  /** The handle of the moderator; null: an administrator on the command line, or an account that was deleted. */
  moderator: string | null
  reportId: string | null
  createdAt: Date
}

const list = statement<{ params: { accountId: string; limit: number }; row: AccountWarning }>(
  `select w.id, w.action, w.text, a.username as moderator, w.report_id as "reportId", w.created_at as "createdAt"
   from account_warnings w left join accounts a on a.id = w.account_id
   where w.target_account_id = $accountId order by w.id desc limit $limit`,
)

/** Returns the moderation actions against an account that were recorded as warnings, newest first. */
export async function listAccountWarnings(
  read: Read,
  { accountId, limit }: { accountId: string; limit: number },
): Promise<AccountWarning[]> {
  return list(read.db, { accountId, limit })
}
