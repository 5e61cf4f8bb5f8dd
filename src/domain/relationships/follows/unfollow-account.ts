import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { Tx } from '../../context.ts'
import { recordUndo } from '../../core/tombstones.ts'
import { removeFollow, removeFollowRequest } from './remove-follow.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

/**
 * Deletes a follow or a follow request, if there is one (Mastodon: POST /api/v1/accounts/:id/unfollow).
 * @throws NotFoundError
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
    /** The id of the undone `Follow` activity if a remote account unfollows. */
    uri?: string
  },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const follow = await removeFollow(tx, { accountId, targetAccountId })
  const request = await removeFollowRequest(tx, { accountId, targetAccountId })
  if (uri !== undefined) await recordUndo(tx, { uri, accountId })
  if (follow) tx.emit('account.unfollowed', { accountId, targetAccountId, uri: follow.uri })
  // Between local accounts a withdrawn request needs no event. A remote server may have accepted the request meanwhile.
  else if (request && request.uri !== null) {
    tx.emit('account.unfollowed', { accountId, targetAccountId, uri: request.uri })
  }
}
