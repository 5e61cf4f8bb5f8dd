import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { bury } from '../tombstones.ts'

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
// Who withdrew stays known as such. A place that its own server has never named may still be on its way.
const keepItems = statement<{
  params: { collectionId: string; uris: readonly string[] }
  row: { account_id: string; collection_id: string }
  notNull: 'account_id'
}>(
  `delete from collection_items i where i.collection_id = $collectionId and i.uri is not null
    and not i.uri = any($uris::text[])
     and i.state <> 'revoked'
   returning i.account_id, i.collection_id`,
)
const withdraw = statement<{ params: { accountId: string; collectionId: string } }>(
  `delete from notifications where account_id = $accountId and collection_id = $collectionId`,
)

interface Owned {
  uri: string
  /** Who takes it away. */
  accountId: string
}

/** Removes a collection of somebody elsewhere, for good. False when they have none by that address. */
export async function removeRemoteCollection(tx: Tx, { uri, accountId }: Owned): Promise<boolean> {
  await lockUris(tx, { uris: [uri] })
  const [owner] = await findOwner(tx.db, { accountId })
  if (!owner) return false
  const gone = await removeCollection(tx.db, { uri, accountId })
  if (gone.length > 0) await bury(tx, { uri, ownerUri: owner.uri })
  return gone.length > 0
}

/**
 * A collection of somebody elsewhere is not for those who look around any more. It goes from here, unless people of here
 * are in it: they are to know, and to be able to withdraw.
 */
export async function hideRemoteCollection(tx: Tx, { uri, accountId }: Owned): Promise<void> {
  await hide(tx.db, { uri, accountId })
  await removeUnused(tx.db, { uri, accountId })
}

/** Removes somebody from a collection of somebody elsewhere, who says so. False when there is no such place. */
export async function removeRemoteItem(tx: Tx, { uri, accountId }: Owned): Promise<boolean> {
  const gone = await removeItem(tx.db, { uri, accountId })
  for (const row of gone) await withdraw(tx.db, { accountId: row.account_id, collectionId: row.collection_id })
  return gone.length > 0
}

/** Removes from a collection elsewhere whoever is not in it any more, by the addresses of those who are. */
export async function keepRemoteItems(
  tx: Tx,
  { collectionId, uris }: { collectionId: string; uris: readonly string[] },
): Promise<void> {
  const gone = await keepItems(tx.db, { collectionId, uris })
  for (const row of gone) await withdraw(tx.db, { accountId: row.account_id, collectionId: row.collection_id })
}
