import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordTombstone } from '../../core/tombstones.ts'

const findOwner = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId and domain is not null`,
)
const removeCollection = statement<{ params: { uri: string; accountId: string }; row: { id: string } }>(
  `delete from collections where uri = $uri and account_id = $accountId and not local returning id`,
)
const hide = statement<{ params: { uri: string; accountId: string } }>(
  `update collections set discoverable = false where uri = $uri and account_id = $accountId and not local
    and discoverable`,
)
const removeUnused = statement<{ params: { uri: string; accountId: string } }>(
  `delete from collections c where c.uri = $uri and c.account_id = $accountId and not c.local and not exists (
     select from collection_items i join accounts t on t.id = i.account_id
     where i.collection_id = c.id and t.domain is null)`,
)
const removeItem = statement<{
  params: { uri: string; accountId: string }
  row: { id: string; account_id: string; collection_id: string }
  notNull: 'account_id'
}>(
  `delete from collection_items i using collections c
   where i.uri = $uri and c.id = i.collection_id and c.account_id = $accountId and not c.local
     and i.state <> 'revoked'
   returning i.id, i.account_id, i.collection_id`,
)
// Revoked items stay, so that the withdrawal is remembered. Items without an id stay too, because the remote server may
// not have published them yet.
const removeUnlistedItems = statement<{
  params: { collectionId: string; uris: readonly string[] }
  row: { account_id: string; collection_id: string }
  notNull: 'account_id'
}>(
  `delete from collection_items i where i.collection_id = $collectionId and i.uri is not null
    and not i.uri = any($uris::text[])
     and i.state <> 'revoked'
   returning i.account_id, i.collection_id`,
)
const removeNotifications = statement<{ params: { accountId: string; collectionId: string } }>(
  `delete from notifications where account_id = $accountId and collection_id = $collectionId`,
)

interface OwnedReference {
  uri: string
  /** The remote account that removes it. */
  accountId: string
}

/** Deletes a remote collection and records a tombstone. Returns false if the account has no such collection. */
export async function removeRemoteCollection(tx: Tx, { uri, accountId }: OwnedReference): Promise<boolean> {
  await lockUris(tx, { uris: [uri] })
  const [owner] = await findOwner(tx.db, { accountId })
  if (!owner) return false
  const removed = await removeCollection(tx.db, { uri, accountId })
  if (removed.length > 0) await recordTombstone(tx, { uri, ownerUri: owner.uri })
  return removed.length > 0
}

/**
 * Hides a remote collection that is no longer discoverable. Deletes it, unless it features local accounts, which must
 * still be able to see it and to withdraw.
 */
export async function hideRemoteCollection(tx: Tx, { uri, accountId }: OwnedReference): Promise<void> {
  await hide(tx.db, { uri, accountId })
  await removeUnused(tx.db, { uri, accountId })
}

/** Removes an item at the request of the remote owner of the collection. Returns false if there is no such item. */
export async function removeRemoteCollectionItem(tx: Tx, { uri, accountId }: OwnedReference): Promise<boolean> {
  const removed = await removeItem(tx.db, { uri, accountId })
  for (const row of removed)
    await removeNotifications(tx.db, { accountId: row.account_id, collectionId: row.collection_id })
  return removed.length > 0
}

/** Removes the items of a remote collection that it no longer lists. `uris`: the ids of its present items. */
export async function pruneRemoteItems(
  tx: Tx,
  { collectionId, uris }: { collectionId: string; uris: readonly string[] },
): Promise<void> {
  const removed = await removeUnlistedItems(tx.db, { collectionId, uris })
  for (const row of removed)
    await removeNotifications(tx.db, { accountId: row.account_id, collectionId: row.collection_id })
}
