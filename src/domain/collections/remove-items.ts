import { ForbiddenError, NotFoundError } from '../../lib/errors.ts'
import { compareIds } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { EndedCollectionItem } from '../event-payloads.ts'
import { lockNotifications } from '../core/lock-notifications.ts'
import { approvalUri, collectionUri, itemUri } from './collection-uris.ts'
import { findCollection, lockOwnCollection } from './find-collection.ts'

/** SQL that selects and locks accepted and pending items; items in other states have ended. */
const selectForUpdate = (condition: string) =>
  `select i.id as "itemId", i.account_id as "accountId", c.id as "collectionId", c.account_id as "ownerId",
       ${itemUri()} as uri, ${collectionUri()} as "collectionUri", ${approvalUri()} as "approvalUri",
       i.state = 'accepted' as "wasAccepted", c.discoverable
     from collection_items i join collections c on c.id = i.collection_id join accounts o on o.id = c.account_id
       left join accounts t on t.id = i.account_id
     where ${condition} and i.state in ('pending', 'accepted')
     order by i.id for update of i`
const lockOne = statement<{ params: { itemId: string; collectionId: string }; row: EndedCollectionItem }>(
  selectForUpdate('i.id = $itemId and i.collection_id = $collectionId'),
)
const lockById = statement<{ params: { itemId: string }; row: EndedCollectionItem }>(selectForUpdate('i.id = $itemId'))
const lockBetween = statement<{ params: { accountId: string; otherIds: readonly string[] }; row: EndedCollectionItem }>(
  selectForUpdate(
    `i.account_id = any(array_append($otherIds::bigint[], $accountId::bigint))
     and c.account_id = any(array_append($otherIds::bigint[], $accountId::bigint))
     and (i.account_id = $accountId) <> (c.account_id = $accountId)`,
  ),
)
const lockApproved = statement<{ params: { uri: string; accountId: string }; row: EndedCollectionItem }>(
  selectForUpdate('i.approval_uri = $uri and i.account_id = $accountId'),
)

const remove = statement<{ params: { itemIds: readonly string[] } }>(
  `delete from collection_items where id = any($itemIds::bigint[])`,
)
const markRevoked = statement<{ params: { itemIds: readonly string[] } }>(
  `update collection_items set state = 'revoked' where id = any($itemIds::bigint[])`,
)
const removeNotifications = statement<{ params: { accountId: string | null; collectionId: string } }>(
  `delete from notifications where account_id = $accountId and collection_id = $collectionId`,
)
const findItem = statement<{
  params: { itemId: string; collectionId: string }
  row: { account_id: string | null; state: string }
}>(`select account_id, state from collection_items where id = $itemId and collection_id = $collectionId`)

interface ItemReference {
  /** The id of the collection. */
  id: string
  itemId: string
  accountId: string
}

/**
 * Removes an item from the account's collection.
 * @throws NotFoundError
 * @throws ForbiddenError for another's collection
 */
export async function removeFromCollection(tx: Tx, { id, itemId, accountId }: ItemReference): Promise<void> {
  await lockOwnCollection(tx, { id, accountId })
  const items = await lockOne(tx.db, { itemId, collectionId: id })
  if (items.length === 0) throw new NotFoundError()
  await removeItems(tx, items)
}

/**
 * Withdraws the account from a collection for good. Does nothing if it has withdrawn already.
 * @throws NotFoundError
 * @throws ForbiddenError if the item features another account
 */
export async function withdrawFromCollection(tx: Tx, { id, itemId, accountId }: ItemReference): Promise<void> {
  const { ownerId } = await findCollection(tx, { id, viewerId: accountId })
  const items = await lockOne(tx.db, { itemId, collectionId: id })
  const [item] = await findItem(tx.db, { itemId, collectionId: id })
  const isOwn = item?.account_id === accountId
  if (!item || (!isOwn && item.state !== 'accepted' && ownerId !== accountId)) throw new NotFoundError()
  if (!isOwn) throw new ForbiddenError()
  await revokeItems(tx, items)
}

/** Records that a remote account revokes its approval with the id `uri`. Returns false if there is no such approval. */
export async function recordApprovalRevocation(
  tx: Tx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<boolean> {
  const items = await lockApproved(tx.db, { uri, accountId })
  await revokeItems(tx, items)
  return items.length > 0
}

/** Removes an account and others from each other's collections. The caller has locked the accounts. */
export async function removeFromEachOthersCollections(
  tx: Tx,
  { accountId, otherIds }: { accountId: string; otherIds: readonly string[] },
): Promise<void> {
  await removeItems(tx, await lockBetween(tx.db, { accountId, otherIds }))
}

/** Returns an item and locks it until the transaction ends; an empty array if it has ended. */
export async function lockItem(tx: Tx, { itemId }: { itemId: string }): Promise<EndedCollectionItem[]> {
  return lockById(tx.db, { itemId })
}

/** Deletes items that the caller has locked. */
export async function removeItems(tx: Tx, items: readonly EndedCollectionItem[]): Promise<void> {
  await endItems(tx, items, remove)
}

/**
 * Marks locked items as revoked. They stay, so that the account cannot be added again. Only the owner sees them,
 * without the account.
 */
export async function revokeItems(tx: Tx, items: readonly EndedCollectionItem[]): Promise<void> {
  await endItems(tx, items, markRevoked)
}

async function endItems(tx: Tx, items: readonly EndedCollectionItem[], change: typeof remove): Promise<void> {
  if (items.length === 0) return
  await change(tx.db, { itemIds: items.map(({ itemId }) => itemId) })
  // Locks the accounts in the order of their ids, to avoid deadlocks.
  const notified = items
    .filter((item) => item.accountId !== null)
    .toSorted((a, b) => compareIds(a.accountId!, b.accountId!))
  for (const { accountId, collectionId } of notified) {
    await lockNotifications(tx, { accountId: accountId! })
    await removeNotifications(tx.db, { accountId, collectionId })
  }
  for (const item of items) tx.emit('collection.item_removed', item)
}
