import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

// Locks the collection before the item, in the same order as its deletion, which cascades to the items.
const findItem = statement<{
  params: { itemId: string }
  row: { collection_id: string; owner_id: string; account_id: string }
  notNull: 'account_id'
}>(
  `select c.id as collection_id, c.account_id as owner_id, i.account_id
   from collection_items i join collections c on c.id = i.collection_id
   where i.id = $itemId and i.state = 'accepted' and i.account_id is not null for key share of c, i`,
)

/** Effect: notifies a local account that it has been added to a collection. */
export async function notifyAddedToCollection(ctx: Ctx, { itemId }: { itemId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [item] = await findItem(tx.db, { itemId })
    if (!item) return
    const { collection_id: collectionId, owner_id: fromAccountId, account_id: recipientId } = item
    await createNotifications(tx, {
      type: 'added_to_collection',
      fromAccountId,
      collectionId,
      recipientIds: [recipientId],
    })
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
// Replaces notifications of earlier changes, but not one of this change, which an earlier run of the effect has
// created.
const replace = statement<{ params: { recipientIds: readonly string[]; collectionId: string; updatedAt: Date } }>(
  `delete from notifications
   where account_id = any($recipientIds::bigint[]) and type = 'collection_update' and collection_id = $collectionId
     and created_at < $updatedAt`,
)

/** Effect: notifies the local accounts in a collection that it has been updated. */
export async function notifyCollectionUpdate(ctx: Ctx, { collectionId }: { collectionId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [collection] = await findCollection(tx.db, { collectionId })
    if (!collection) return
    const recipientIds = (await findFeatured(tx.db, { collectionId })).map((row) => row.account_id)
    if (recipientIds.length > 0) await replace(tx.db, { recipientIds, collectionId, updatedAt: collection.updated_at })
    await createNotifications(tx, {
      type: 'collection_update',
      fromAccountId: collection.owner_id,
      collectionId,
      recipientIds,
    })
  })
}
