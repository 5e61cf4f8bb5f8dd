import { randomUUID } from 'node:crypto'
import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import { removeFromEachOthersCollections } from '../../collections/remove-items.ts'
import type { Tx } from '../../context.ts'
import { removeConversationsWith } from '../../conversations/remove-conversation.ts'
import { lockNotifications } from '../../core/lock-notifications.ts'
import { isUndone } from '../../core/tombstones.ts'
import { removeFollow, removeFollowRequest } from '../follows/remove-follow.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

const insert = statement<{
  params: { accountId: string; targetAccountId: string; now: Date; uri: string | null }
  row: { id: string }
}>(
  `insert into blocks (account_id, target_account_id, created_at, uri) values ($accountId, $targetAccountId, $now, $uri)
   on conflict (account_id, target_account_id) do nothing returning id`,
)
const removeNotifications = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `delete from notifications where account_id = $accountId and from_account_id = $targetAccountId`,
)

interface AccountPair {
  accountId: string
  targetAccountId: string
}

/**
 * Blocks an account (Mastodon: POST /api/v1/accounts/:id/block). Ends follows and follow requests in both directions,
 * removes each account from the other's collections, and deletes the blocker's notifications from the blocked account
 * and the conversations with it. Does nothing if the block exists already or if an account blocks itself.
 * @throws NotFoundError
 */
export async function blockAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    uri,
  }: AccountPair & {
    /** The id of the `Block` activity if a remote account blocks. */
    uri?: string
  },
): Promise<void> {
  const { domain } = await findAccount(tx, { id: targetAccountId })
  if (accountId === targetAccountId) return
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  if (uri !== undefined && (await isUndone(tx, { uri, accountId }))) return
  const ownUri = domain === null ? null : `${tx.config.origin}/blocks/${randomUUID()}`
  const [inserted] = await insert(tx.db, { accountId, targetAccountId, now: tx.now, uri: uri ?? ownUri })
  if (!inserted) return
  await endRelationships(tx, { accountId, targetAccountId })
  await removeFromEachOthersCollections(tx, { accountId, targetAccountId })
  await lockNotifications(tx, { accountId })
  await removeNotifications(tx.db, { accountId, targetAccountId })
  await removeConversationsWith(tx, { accountId, targetAccountId })
  tx.emit('account.blocked', { accountId, targetAccountId })
}

/** Ends follows and follow requests in both directions, and emits the events that notify the remote server. */
async function endRelationships(tx: Tx, pair: AccountPair): Promise<void> {
  const reverse = { accountId: pair.targetAccountId, targetAccountId: pair.accountId }
  const [follow, request] = [await removeFollow(tx, pair), await removeFollowRequest(tx, pair)]
  const [reverseFollow, reverseRequest] = [await removeFollow(tx, reverse), await removeFollowRequest(tx, reverse)]
  const [ended, rejected] = [follow ?? request, reverseFollow ?? reverseRequest]
  if (ended && ended.uri !== null && !ended.isFromRemote) tx.emit('account.unfollowed', { ...pair, uri: ended.uri })
  if (rejected?.isFromRemote) tx.emit('follow.rejected', { ...reverse, uri: rejected.uri })
}
