import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { cutFollow, cutRequest } from './cut-follow.ts'
import { lockAccounts } from './lock-accounts.ts'

/** Ends a follow, or takes the request to follow back. Without either nothing happens. @throws NotFound */
export async function unfollowAccount(
  tx: Tx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  if (await cutFollow(tx, { accountId, targetAccountId })) {
    tx.emit('account.unfollowed', { accountId, targetAccountId })
  }
  await cutRequest(tx, { accountId, targetAccountId })
}
