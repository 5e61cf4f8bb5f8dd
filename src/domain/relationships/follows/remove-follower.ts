import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { Tx } from '../../context.ts'
import { removeFollow } from './remove-follow.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

/** Removes a follower of the account, if the other account follows it. @throws NotFoundError */
export async function removeFollower(
  tx: Tx,
  { accountId, followerId }: { accountId: string; followerId: string },
): Promise<void> {
  await findAccount(tx, { id: followerId })
  await lockAccounts(tx, { ids: [accountId, followerId] })
  const pair = { accountId: followerId, targetAccountId: accountId }
  const removed = await removeFollow(tx, pair)
  if (!removed) return
  tx.emit('account.unfollowed', { ...pair, uri: null })
  if (removed.isFromRemote) tx.emit('follow.rejected', { ...pair, uri: removed.uri })
}
