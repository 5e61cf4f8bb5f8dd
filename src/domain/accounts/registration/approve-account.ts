import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { recordRegistration } from '../../core/record-weekly-activity.ts'
import { scheduleWelcome } from './schedule-welcome.ts'

const approve = statement<{ params: { userId: string }; row: { account_id: string; confirmed: boolean } }>(
  `update users set approved = true where id = $userId returning account_id, confirmed_at is not null as confirmed`,
)

/** Approves a user. The caller has locked the account. */
export async function approveUser(tx: Tx, { userId }: { userId: string }): Promise<void> {
  const [user] = await approve(tx.db, { userId })
  await recordRegistration(tx, { userId })
  if (!user) return
  tx.emit('account.approved', { accountId: user.account_id })
  if (user.confirmed) scheduleWelcome(tx, { accountId: user.account_id })
}

const listPending = statement<{
  params: { after: string; limit: number }
  row: { accountId: string; username: string }
}>(
  `select u.account_id as "accountId", a.username from users u join accounts a on a.id = u.account_id
   where not u.approved and u.account_id > $after order by u.account_id limit $limit`,
)

/** Returns users who await approval, oldest first, after an account id. */
export async function listPendingUsers(
  read: Read,
  { after, limit }: { after: string; limit: number },
): Promise<{ accountId: string; username: string }[]> {
  return listPending(read.db, { after, limit })
}
