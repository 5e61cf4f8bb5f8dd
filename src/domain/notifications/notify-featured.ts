import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

// The collection first: its deletion, which takes the items along, locks them in that order too.
const findItem = statement<{
  params: { itemId: string }
  row: { collection_id: string; owner_id: string; account_id: string }
  notNull: 'account_id'
}>(
  `select c.id as collection_id, c.account_id as owner_id, i.account_id
   from collection_items i join collections c on c.id = i.collection_id
   where i.id = $itemId and i.state = 'accepted' and i.account_id is not null for key share of c, i`,
)

/** Effect: tells somebody here that they are in somebody's collection. */
export async function notifyFeatured(ctx: Ctx, { itemId }: { itemId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [item] = await findItem(tx.db, { itemId })
    if (!item) return
    const { collection_id: collectionId, owner_id: fromAccountId, account_id: recipientId } = item
    await notify(tx, { kind: 'added_to_collection', fromAccountId, collectionId, recipientIds: [recipientId] })
  })
}

const findCollection = statement<{ params: { collectionId: string }; row: { owner_id: string; updated_at: Date } }>(
  `select account_id as owner_id, updated_at from collections where id = $collectionId for key share`,
)
const findFeatured = statement<{
  params: { collectionId: string }
  row: { account_id: string }
  notNull: 'account_id'
}>(
  `select i.account_id from collection_items i join users u on u.account_id = i.account_id
   where i.collection_id = $collectionId and i.state = 'accepted' order by i.id for key share of i`,
)
// What tells of an earlier change is replaced; what tells of this one, written by an earlier try, is not.
const replace = statement<{ params: { recipientIds: readonly string[]; collectionId: string; updatedAt: Date } }>(
  `delete from notifications
   where account_id = any($recipientIds::bigint[]) and type = 'collection_update' and collection_id = $collectionId
     and created_at < $updatedAt`,
)

/** Effect: tells those here who are in a collection that it says something else about itself. */
export async function notifyCollectionUpdated(ctx: Ctx, { collectionId }: { collectionId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [collection] = await findCollection(tx.db, { collectionId })
    if (!collection) return
    const recipientIds = (await findFeatured(tx.db, { collectionId })).map((row) => row.account_id)
    if (recipientIds.length > 0) await replace(tx.db, { recipientIds, collectionId, updatedAt: collection.updated_at })
    await notify(tx, { kind: 'collection_update', fromAccountId: collection.owner_id, collectionId, recipientIds })
  })
}
