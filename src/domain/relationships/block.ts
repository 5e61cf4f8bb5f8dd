import { randomUUID } from 'node:crypto'
import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/find.ts'
import { partCollections } from '../collections/end-item.ts'
import type { Tx } from '../context.ts'
import { removeConversationsWith } from '../conversations/remove.ts'
import { holdNotifications } from '../notifications/hold.ts'
import { isBuriedDeed } from '../tombstones.ts'
import { cutFollow, cutRequest } from './cut-follow.ts'
import { lockAccounts } from './lock-accounts.ts'

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

interface Pair {
  accountId: string
  targetAccountId: string
}

/**
 * Blocks somebody: follows and requests end both ways, each leaves the other's collections, and what they caused among
 * one's notifications goes, as do conversations with them. Blocking again, or oneself, does nothing.
 * @throws NotFound
 */
export async function blockAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    uri,
  }: Pair & {
    /** Of the activity, where that came from elsewhere. */
    uri?: string
  },
): Promise<void> {
  const { domain } = await findAccount(tx, { id: targetAccountId })
  if (accountId === targetAccountId) return
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  if (uri !== undefined && (await isBuriedDeed(tx, { uri, accountId }))) return
  const own = domain === null ? null : `${tx.config.origin}/blocks/${randomUUID()}`
  const [made] = await insert(tx.db, { accountId, targetAccountId, now: tx.now, uri: uri ?? own })
  if (!made) return
  await cutBoth(tx, { accountId, targetAccountId })
  await partCollections(tx, { accountId, targetAccountId })
  await holdNotifications(tx, { accountId })
  await removeNotifications(tx.db, { accountId, targetAccountId })
  await removeConversationsWith(tx, { accountId, targetAccountId })
  tx.emit('account.blocked', { accountId, targetAccountId })
}

/** Ends what each of them has with the other; another server hears of what it knew of. */
async function cutBoth(tx: Tx, pair: Pair): Promise<void> {
  const back = { accountId: pair.targetAccountId, targetAccountId: pair.accountId }
  const [own, ownRequest] = [await cutFollow(tx, pair), await cutRequest(tx, pair)]
  const [theirs, theirRequest] = [await cutFollow(tx, back), await cutRequest(tx, back)]
  const [ended, refused] = [own ?? ownRequest, theirs ?? theirRequest]
  if (ended && ended.uri !== null && !ended.fromElsewhere) tx.emit('account.unfollowed', { ...pair, uri: ended.uri })
  if (refused?.fromElsewhere) tx.emit('follow.rejected', { ...back, uri: refused.uri })
}
