import { randomUUID } from 'node:crypto'
import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { confirmedAccount } from '../../access/usable-account.ts'
import { removeFromEachOthersCollections } from '../../collections/remove-items.ts'
import type { Tx } from '../../context.ts'
import { removeConversationsWith } from '../../conversations/remove-conversation.ts'
import { lockNotifications } from '../../core/lock-notifications.ts'
import { isUndone } from '../../core/tombstones.ts'
import { endFollowsBetween } from '../follows/end-follows-between.ts'
import type { EndedFollow } from '../follows/end-follows-between.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

interface Target {
  id: string
  isRemote: boolean
}

const findTargets = statement<{ params: { ids: readonly string[] }; row: Target; notNull: 'isRemote' }>(
  `select a.id, a.domain is not null as "isRemote" from accounts a left join users u on u.account_id = a.id
   where a.id = any($ids::bigint[]) and ${confirmedAccount()}`,
)
const insert = statement<{
  params: { accountId: string; targetAccountIds: readonly string[]; uris: readonly (string | null)[]; now: Date }
  row: { target_account_id: string }
}>(
  `insert into blocks (account_id, target_account_id, created_at, uri)
   select $accountId, target_account_id, $now, uri
   from unnest($targetAccountIds::bigint[], $uris::text[]) with ordinality as b (target_account_id, uri, position)
   order by position
   on conflict (account_id, target_account_id) do nothing returning target_account_id`,
)
// With the permissions that the blocker gave by accepting notification requests, which an unblock does not restore.
const removeNotifications = statement<{ params: { accountId: string; targetAccountIds: readonly string[] } }>(
  `with revoked as (
     delete from notification_permissions
     where account_id = $accountId and from_account_id = any($targetAccountIds::bigint[])
   )
   delete from notifications where account_id = $accountId and from_account_id = any($targetAccountIds::bigint[])`,
)
const removeFollowNotifications = statement<{
  params: { followerIds: readonly string[]; targetIds: readonly string[]; types: readonly string[] }
}>(
  `delete from notifications n
   using unnest($followerIds::bigint[], $targetIds::bigint[], $types::text[]) as ended (follower_id, target_id, type)
   where n.account_id = ended.target_id and n.from_account_id = ended.follower_id and n.type = ended.type
     and n.status_id is null`,
)

/**
 * Blocks an account (Mastodon: POST /api/v1/accounts/:id/block). Ends follows and follow requests in both directions,
 * removes each account from the other's collections, and deletes the blocker's notifications from the blocked account,
 * the permission to cause them despite the policy, and the conversations with it. Does nothing if the block exists
 * already or if an account blocks itself.
 * @throws NotFoundError
 */
export async function blockAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    uri,
  }: {
    accountId: string
    targetAccountId: string
    /** The id of the `Block` activity if a remote account blocks. */
    uri?: string
  },
): Promise<void> {
  const { blocked, missingIds } = await writeBlocks(tx, { accountId, targetAccountIds: [targetAccountId], uri })
  if (missingIds.length > 0) throw new NotFoundError()
  if (blocked.length > 0) tx.emit('account.blocked', { accountId, targetAccountId })
}

/** Blocks many accounts, as `blockAccount` does. Returns the ids of the accounts that do not exist. */
export async function blockAccounts(
  tx: Tx,
  { accountId, targetAccountIds }: { accountId: string; targetAccountIds: readonly string[] },
): Promise<Set<string>> {
  const { blocked, missingIds } = await writeBlocks(tx, { accountId, targetAccountIds })
  // Only local accounts have feeds of their own.
  for (const { id, isRemote } of blocked) {
    if (!isRemote) tx.emit('account.blocked', { accountId, targetAccountId: id })
  }
  const remoteIds = blocked.filter(({ isRemote }) => isRemote).map(({ id }) => id)
  if (remoteIds.length > 0) tx.emit('account.many_blocked', { accountId, targetAccountIds: remoteIds })
  return new Set(missingIds)
}

/** Returns the accounts that were not blocked before, and the ids without an account. */
async function writeBlocks(
  tx: Tx,
  {
    accountId,
    targetAccountIds,
    uri,
  }: { accountId: string; targetAccountIds: readonly string[]; uri?: string | undefined },
): Promise<{ blocked: Target[]; missingIds: string[] }> {
  const found = await findTargets(tx.db, { ids: targetAccountIds })
  const targets = new Map(found.map((target) => [target.id, target]))
  const missingIds = targetAccountIds.filter((id) => !targets.has(id))
  const ids = targetAccountIds.filter((id) => targets.has(id) && id !== accountId)
  if (ids.length === 0) return { blocked: [], missingIds }
  await lockAccounts(tx, { ids: [accountId, ...ids] })
  if (uri !== undefined && (await isUndone(tx, { uri, accountId }))) return { blocked: [], missingIds }
  const ownUri = (id: string) => (targets.get(id)!.isRemote ? `${tx.config.origin}/blocks/${randomUUID()}` : null)
  const uris = ids.map((id) => uri ?? ownUri(id))
  const inserted = await insert(tx.db, { accountId, targetAccountIds: ids, uris, now: tx.now })
  const blockedIds = inserted.map((row) => row.target_account_id)
  if (blockedIds.length === 0) return { blocked: [], missingIds }
  await endRelationships(tx, { accountId, otherIds: blockedIds })
  await removeFromEachOthersCollections(tx, { accountId, otherIds: blockedIds })
  await lockNotifications(tx, { accountId })
  await removeNotifications(tx.db, { accountId, targetAccountIds: blockedIds })
  await removeConversationsWith(tx, { accountId, otherIds: blockedIds })
  return { blocked: blockedIds.map((id) => targets.get(id)!), missingIds }
}

/** Ends follows and follow requests in both directions, and emits the events that notify the remote servers. */
async function endRelationships(tx: Tx, pairs: { accountId: string; otherIds: readonly string[] }): Promise<void> {
  const { follows, requests } = await endFollowsBetween(tx, pairs)
  const ended = [...follows, ...requests]
  if (ended.length === 0) return
  await removeFollowNotifications(tx.db, {
    followerIds: ended.map((one) => one.accountId),
    targetIds: ended.map((one) => one.targetAccountId),
    types: [...follows.map(() => 'follow'), ...requests.map(() => 'follow_request')],
  })
  for (const [first] of Map.groupBy(ended, (one) => `${one.accountId} ${one.targetAccountId}`).values()) {
    const { isFromRemote, accountId, targetAccountId, uri } = first as EndedFollow
    const pair = { accountId, targetAccountId, uri }
    const isOwn = accountId === pairs.accountId
    if (isOwn && uri !== null && !isFromRemote) tx.emit('account.unfollowed', pair)
    else if (!isOwn && isFromRemote) tx.emit('follow.rejected', pair)
  }
}
