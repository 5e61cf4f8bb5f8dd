import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { collectionUri } from './collection-uris.ts'
import { lockOwnCollection } from './find-collection.ts'

const find = statement<{ params: { id: string }; row: { uri: string; discoverable: boolean; featuredIds: string[] } }>(
  `select ${collectionUri()} as uri, c.discoverable, array(
     select i.account_id::text from collection_items i join accounts t on t.id = i.account_id
     where i.collection_id = c.id and i.state in ('pending', 'accepted') and t.domain is not null
   ) as "featuredIds"
   from collections c join accounts o on o.id = c.account_id where c.id = $id`,
)
const remove = statement<{ params: { id: string } }>(`delete from collections where id = $id`)

/**
 * Deletes a collection with its items.
 * @throws NotFoundError
 * @throws ForbiddenError for another account's collection
 */
export async function deleteCollection(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  await lockOwnCollection(tx, { id, accountId })
  const [details] = await find(tx.db, { id })
  await remove(tx.db, { id })
  tx.emit('collection.deleted', { accountId, ...details! })
}
