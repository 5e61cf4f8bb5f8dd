import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { cutFollow } from './cut-follow.ts'
import { lockAccounts } from './lock-accounts.ts'

/** Ends somebody else's follow of oneself. Without one nothing happens. @throws NotFound */
export async function removeFollower(
  tx: Tx,
  { accountId, followerId }: { accountId: string; followerId: string },
): Promise<void> {
  await findAccount(tx, { id: followerId })
  await lockAccounts(tx, { ids: [accountId, followerId] })
  const pair = { accountId: followerId, targetAccountId: accountId }
  const cut = await cutFollow(tx, pair)
  if (!cut) return
  tx.emit('account.unfollowed', { ...pair, uri: null })
  if (cut.fromElsewhere) tx.emit('follow.rejected', { ...pair, uri: cut.uri })
}
