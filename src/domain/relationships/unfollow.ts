import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { buryDeed } from '../tombstones.ts'
import { cutFollow, cutRequest } from './cut-follow.ts'
import { lockAccounts } from './lock-accounts.ts'

/**
 * Ends a follow, or takes the request to follow back. Without either nothing happens.
 * @throws NotFound
 */
export async function unfollowAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    uri,
  }: {
    accountId: string
    targetAccountId: string
    /** Of the activity that is taken back, where that came from elsewhere. */
    uri?: string
  },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const follow = await cutFollow(tx, { accountId, targetAccountId })
  const request = await cutRequest(tx, { accountId, targetAccountId })
  if (uri !== undefined) await buryDeed(tx, { uri, accountId })
  if (follow) tx.emit('account.unfollowed', { accountId, targetAccountId, uri: follow.uri })
  // Of people of here nobody has to hear that somebody asked; another server may have granted it meanwhile.
  else if (request && request.uri !== null) {
    tx.emit('account.unfollowed', { accountId, targetAccountId, uri: request.uri })
  }
}
