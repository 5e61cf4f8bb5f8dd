import { useQueryClient } from '@tanstack/react-query'
import { sendRequest } from '../../lib/api/send-request.ts'
import { currentAccountId } from '../../lib/session.ts'
import type { Account, Collection, CollectionWithAccounts } from '../../lib/api/entities.ts'
import { collectionQuery, collectionsQuery, featuringCollectionsQuery, itemOf } from './collection-queries.ts'

/** What the user decides about a collection. */
export interface CollectionSettings {
  name: string
  description: string
  /** Empty: none. */
  language: string
  /** A hashtag; empty: none. */
  tagName: string
  sensitive: boolean
  discoverable: boolean
}

type Item = Collection['items'][number]

/** Returns functions that change collections and what is shown of them. They throw the errors of the requests. */
export function useCollectionChanges() {
  const client = useQueryClient()
  const ownKey = collectionsQuery(currentAccountId()).queryKey

  /** Changes a collection wherever it is shown. */
  const patch = async (id: string, change: (data: CollectionWithAccounts) => CollectionWithAccounts) => {
    const { queryKey } = collectionQuery(id)
    // What is being loaded may be from before the change.
    await Promise.all([client.cancelQueries({ queryKey }), client.cancelQueries({ queryKey: ownKey })])
    client.setQueryData(queryKey, (data) => data && change(data))
    client.setQueryData(ownKey, (list) =>
      list?.map((one) => (one.id === id ? change({ collection: one, accounts: [] }).collection : one)),
    )
  }

  return {
    async createCollection(settings: CollectionSettings, accountIds: readonly string[] = []): Promise<Collection> {
      const body = { ...settings, accountIds }
      const { collection } = await sendRequest<{ collection: Collection }>({
        method: 'POST',
        path: '/api/v1/collections',
        body,
      })
      await client.cancelQueries({ queryKey: ownKey })
      client.setQueryData(ownKey, (list) => list && [collection, ...list])
      return collection
    },

    async updateCollection(id: string, settings: CollectionSettings): Promise<void> {
      const { collection } = await sendRequest<{ collection: Collection }>({
        method: 'PATCH',
        path: `/api/v1/collections/${id}`,
        body: settings,
      })
      await patch(id, (data) => ({ ...data, collection }))
    },

    async deleteCollection(id: string): Promise<void> {
      await sendRequest({ method: 'DELETE', path: `/api/v1/collections/${id}` })
      await client.cancelQueries({ queryKey: ownKey })
      client.setQueryData(ownKey, (list) => list?.filter((one) => one.id !== id))
      // Its page, which is left now, must not request it again.
      await client.invalidateQueries({ queryKey: collectionQuery(id).queryKey, refetchType: 'none' })
    },

    async addAccount(id: string, account: Account): Promise<void> {
      const { collectionItem } = await sendRequest<{ collectionItem: Item }>({
        method: 'POST',
        path: `/api/v1/collections/${id}/items`,
        body: { accountId: account.id },
      })
      await patch(id, (data) => withItem(data, { item: collectionItem, account }))
    },

    async removeAccount(collection: Collection, accountId: string): Promise<void> {
      const item = itemOf(collection, accountId)
      if (!item) return
      await sendRequest({ method: 'DELETE', path: `/api/v1/collections/${collection.id}/items/${item.id}` })
      await patch(collection.id, (data) => withoutItem(data, item.id))
    },

    /** Removes the user from a collection of another account. */
    async leaveCollection(collection: Collection): Promise<void> {
      const item = itemOf(collection, currentAccountId())
      if (!item) return
      await sendRequest({ method: 'POST', path: `/api/v1/collections/${collection.id}/items/${item.id}/revoke` })
      await patch(collection.id, (data) => withoutItem(data, item.id))
      await client.cancelQueries(featuringCollectionsQuery)
      client.setQueryData(featuringCollectionsQuery.queryKey, (list) =>
        list?.filter((one) => one.collection.id !== collection.id),
      )
    },
  }
}

/** An item that was rejected before is replaced. */
function withItem(
  { collection, accounts }: CollectionWithAccounts,
  { item, account }: { item: Item; account: Account },
): CollectionWithAccounts {
  const items = [...collection.items.filter(({ id }) => id !== item.id), item]
  return {
    collection: { ...collection, items, itemCount: collection.itemCount + 1 },
    accounts: [...accounts.filter(({ id }) => id !== account.id), account],
  }
}

function withoutItem({ collection, accounts }: CollectionWithAccounts, itemId: string): CollectionWithAccounts {
  const items = collection.items.filter(({ id }) => id !== itemId)
  return { collection: { ...collection, items, itemCount: Math.max(0, collection.itemCount - 1) }, accounts }
}
