import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

const remove = statement<{ id: string }>(
  `delete from follows where account_id = $1 and target_account_id = $2 returning id`,
)
const removeRequest = statement<{ id: string }>(
  `delete from follow_requests where account_id = $1 and target_account_id = $2 returning id`,
)
const discount = statement(
  `update account_stats set
     following_count = greatest(0, following_count - case when account_id = $1 then 1 else 0 end),
     followers_count = greatest(0, followers_count - case when account_id = $2 then 1 else 0 end)
   where account_id = any(array[$1, $2]::bigint[])`,
)
const withdraw = statement(
  `delete from notifications where account_id = $2 and from_account_id = $1 and type = $3 and status_id is null`,
)

interface Pair {
  /** Who follows, or asks to. */
  accountId: string
  targetAccountId: string
}

/** Ends a follow, with its counters and the notification of it; both accounts are locked. False when there was none. */
export async function cutFollow(tx: Tx, { accountId, targetAccountId }: Pair): Promise<boolean> {
  const [row] = await remove(tx.db, [accountId, targetAccountId])
  if (!row) return false
  await discount(tx.db, [accountId, targetAccountId])
  await withdraw(tx.db, [accountId, targetAccountId, 'follow'])
  return true
}

/** Ends a request to follow, with the notification of it; both accounts are locked. False when there was none. */
export async function cutRequest(tx: Tx, { accountId, targetAccountId }: Pair): Promise<boolean> {
  const [row] = await removeRequest(tx.db, [accountId, targetAccountId])
  if (!row) return false
  await withdraw(tx.db, [accountId, targetAccountId, 'follow_request'])
  return true
}
