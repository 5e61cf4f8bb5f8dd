import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { collectionUri } from './addresses.ts'
import { holdOwnCollection } from './find.ts'

const find = statement<{ params: { id: string }; row: { uri: string; discoverable: boolean; featuredIds: string[] } }>(
  `select ${collectionUri()} as uri, c.discoverable, array(
     select i.account_id::text from collection_items i join accounts t on t.id = i.account_id
     where i.collection_id = c.id and i.state in ('pending', 'accepted') and t.domain is not null
   ) as "featuredIds"
   from collections c join accounts o on o.id = c.account_id where c.id = $id`,
)
const remove = statement<{ params: { id: string } }>(`delete from collections where id = $id`)

/** Deletes a collection with all that is in it. @throws NotFound · Forbidden when it is another's */
export async function deleteCollection(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  await holdOwnCollection(tx, { id, accountId })
  const [facts] = await find(tx.db, { id })
  await remove(tx.db, { id })
  tx.emit('collection.deleted', { accountId, ...facts! })
}
