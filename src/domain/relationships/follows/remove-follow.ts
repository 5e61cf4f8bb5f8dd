import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

/** A deleted follow or follow request. */
export interface RemovedFollow {
  /** The id of the `Follow` activity; null if both accounts are local, or if the activity had none. */
  uri: string | null
  /** Whether the follower or requester is remote, so that its server has to be notified. */
  isFromRemote: boolean
}

const removeFrom = (table: string) =>
  statement<{ params: { accountId: string; targetAccountId: string }; row: RemovedFollow }>(
    `delete from ${table} where account_id = $accountId and target_account_id = $targetAccountId
     returning uri, (select domain is not null from accounts where id = $accountId) as "isFromRemote"`,
  )
const remove = removeFrom('follows')
const removeRequest = removeFrom('follow_requests')
const decrementCounts = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `update account_stats set
     following_count = greatest(0, following_count - case when account_id = $accountId then 1 else 0 end),
     followers_count = greatest(0, followers_count - case when account_id = $targetAccountId then 1 else 0 end)
   where account_id = any(array[$accountId, $targetAccountId]::bigint[])`,
)
const removeNotification = statement<{ params: { accountId: string; targetAccountId: string; type: string } }>(
  `delete from notifications where account_id = $targetAccountId and from_account_id = $accountId and type = $type
    and status_id is null`,
)

interface AccountPair {
  /** The follower or requester. */
  accountId: string
  targetAccountId: string
}

/**
 * Deletes a follow and its notification, and decrements the counters; the caller has locked both accounts. Returns null
 * if there was no follow.
 */
export async function removeFollow(tx: Tx, { accountId, targetAccountId }: AccountPair): Promise<RemovedFollow | null> {
  const [row] = await remove(tx.db, { accountId, targetAccountId })
  if (!row) return null
  await decrementCounts(tx.db, { accountId, targetAccountId })
  await removeNotification(tx.db, { accountId, targetAccountId, type: 'follow' })
  return row
}

/**
 * Deletes a follow request and its notification; the caller has locked both accounts. Returns null if there was no
 * request.
 */
export async function removeFollowRequest(
  tx: Tx,
  { accountId, targetAccountId }: AccountPair,
): Promise<RemovedFollow | null> {
  const [row] = await removeRequest(tx.db, { accountId, targetAccountId })
  if (!row) return null
  await removeNotification(tx.db, { accountId, targetAccountId, type: 'follow_request' })
  return row
}
