import { Forbidden, NotFound } from '../../lib/errors.ts'
import { compareIds } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { EndedItem } from '../events.ts'
import { holdNotifications } from '../notifications/hold.ts'
import { approvalUri, collectionUri, itemUri } from './addresses.ts'
import { findCollection, holdOwnCollection } from './find.ts'

/** Of items that are held, or still asked for; the others are over. `i` the item, `c` its collection. */
const selectForUpdate = (condition: string) =>
  `select i.id as "itemId", i.account_id as "accountId", c.id as "collectionId", c.account_id as "ownerId",
       ${itemUri()} as uri, ${collectionUri()} as "collectionUri", ${approvalUri()} as "approvalUri",
       i.state = 'accepted' as "wasAccepted", c.discoverable
     from collection_items i join collections c on c.id = i.collection_id join accounts o on o.id = c.account_id
       left join accounts t on t.id = i.account_id
     where ${condition} and i.state in ('pending', 'accepted')
     order by i.id for update of i`
const holdOne = statement<{ params: { itemId: string; collectionId: string }; row: EndedItem }>(
  selectForUpdate('i.id = $itemId and i.collection_id = $collectionId'),
)
const holdById = statement<{ params: { itemId: string }; row: EndedItem }>(selectForUpdate('i.id = $itemId'))
const holdBetween = statement<{ params: { accountId: string; targetAccountId: string }; row: EndedItem }>(
  selectForUpdate(
    `i.account_id = any(array[$accountId, $targetAccountId]::bigint[])
     and c.account_id = any(array[$accountId, $targetAccountId]::bigint[]) and i.account_id <> c.account_id`,
  ),
)
const holdApproved = statement<{ params: { uri: string; accountId: string }; row: EndedItem }>(
  selectForUpdate('i.approval_uri = $uri and i.account_id = $accountId'),
)

const remove = statement<{ params: { itemIds: readonly string[] } }>(
  `delete from collection_items where id = any($itemIds::bigint[])`,
)
const revoke = statement<{ params: { itemIds: readonly string[] } }>(
  `update collection_items set state = 'revoked' where id = any($itemIds::bigint[])`,
)
const withdraw = statement<{ params: { accountId: string | null; collectionId: string } }>(
  `delete from notifications where account_id = $accountId and collection_id = $collectionId`,
)
const findItem = statement<{
  params: { itemId: string; collectionId: string }
  row: { account_id: string | null; state: string }
}>(`select account_id, state from collection_items where id = $itemId and collection_id = $collectionId`)

interface Named {
  /** Of the collection. */
  id: string
  itemId: string
  accountId: string
}

/** Takes somebody out of one's collection. @throws NotFound · Forbidden when it is another's collection */
export async function removeFromCollection(tx: Tx, { id, itemId, accountId }: Named): Promise<void> {
  await holdOwnCollection(tx, { id, accountId })
  const items = await holdOne(tx.db, { itemId, collectionId: id })
  if (items.length === 0) throw new NotFound()
  await removeItems(tx, items)
}

/**
 * Withdraws from somebody's collection, for good. Doing it again does nothing.
 * @throws NotFound · Forbidden when it is somebody else who is featured there
 */
export async function withdrawFromCollection(tx: Tx, { id, itemId, accountId }: Named): Promise<void> {
  const { ownerId } = await findCollection(tx, { id, viewerId: accountId })
  const items = await holdOne(tx.db, { itemId, collectionId: id })
  const [item] = await findItem(tx.db, { itemId, collectionId: id })
  const isOwn = item?.account_id === accountId
  if (!item || (!isOwn && item.state !== 'accepted' && ownerId !== accountId)) throw new NotFound()
  if (!isOwn) throw new Forbidden()
  await revokeItems(tx, items)
}

/** Somebody elsewhere, by the address of their consent, takes it back. False when nobody here has such a consent. */
export async function takeBackApproval(
  tx: Tx,
  { uri, accountId }: { uri: string; accountId: string },
): Promise<boolean> {
  const items = await holdApproved(tx.db, { uri, accountId })
  await revokeItems(tx, items)
  return items.length > 0
}

/** Takes two people out of each other's collections. Both accounts are locked. */
export async function partCollections(
  tx: Tx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await removeItems(tx, await holdBetween(tx.db, { accountId, targetAccountId }))
}

/** An item that nobody else changes until the transaction ends; none if it is over. */
export async function holdItem(tx: Tx, { itemId }: { itemId: string }): Promise<EndedItem[]> {
  return holdById(tx.db, { itemId })
}

/** Items that are held go. */
export async function removeItems(tx: Tx, items: readonly EndedItem[]): Promise<void> {
  await end(tx, items, remove)
}

/** Items that are held stay, so that nobody asks again, and are shown to nobody. */
export async function revokeItems(tx: Tx, items: readonly EndedItem[]): Promise<void> {
  await end(tx, items, revoke)
}

async function end(tx: Tx, items: readonly EndedItem[], change: typeof remove): Promise<void> {
  if (items.length === 0) return
  await change(tx.db, { itemIds: items.map(({ itemId }) => itemId) })
  // In the order in which everybody holds accounts.
  const told = items
    .filter((item) => item.accountId !== null)
    .toSorted((a, b) => compareIds(a.accountId!, b.accountId!))
  for (const { accountId, collectionId } of told) {
    await holdNotifications(tx, { accountId: accountId! })
    await withdraw(tx.db, { accountId, collectionId })
  }
  for (const item of items) tx.emit('collection.item_ended', item)
}
