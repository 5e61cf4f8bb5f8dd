import { queryOptions } from '@tanstack/react-query'
import { api, currentAccountId } from '../../lib/session.ts'
import type { Account, Collection, CollectionWithAccounts } from '../../lib/api/entities.ts'

/** How many accounts a collection of this server can have (`src/domain/collections/limits.ts`). */
export const MAX_ACCOUNTS = 25

/** The largest pages of the API: the first one of an account's own collections may be longer. */
const FIRST_PAGE_LIMIT = 100
const PAGE_LIMIT = 80
/** How many accounts the API returns at a time by their ids. */
const MAX_IDS = 40

/** A list of collections at the API, whose pages are offsets. */
interface CollectionList {
  list(page: { limit: number; offset: number }): PromiseLike<{ collections: unknown }>
}

/** The collections of an account: for the user, also those that the profile does not show. */
export const collectionsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['collections', accountId],
    queryFn: async () => listAll(api().v1.accounts.$select(accountId).collections, FIRST_PAGE_LIMIT),
  })

/** A collection that contains the user. `curator`: its owner. */
export interface FeaturingCollection {
  collection: Collection
  curator: Account | undefined
}

/** The collections of others that contain the user. */
export const featuringCollectionsQuery = queryOptions({
  queryKey: ['featuring-collections'],
  queryFn: async (): Promise<FeaturingCollection[]> => {
    const userId = currentAccountId()
    const all = await listAll(api().v1.accounts.$select(userId).inCollections, PAGE_LIMIT)
    const collections = all.filter(({ accountId }) => accountId !== userId)
    const curators = await findAccounts(collections.map(({ accountId }) => accountId))
    return collections.map((collection) => ({ collection, curator: curators.get(collection.accountId) }))
  },
})

/** A collection with its accounts. */
export const collectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['collection', id],
    queryFn: async () => (await api().v1.collections.$select(id).fetch()) as unknown as CollectionWithAccounts,
  })

/** Returns the item of an account that is in a collection, or may still become a part of it. */
export function itemOf({ items }: Collection, accountId: string) {
  return items.find((item) => item.accountId === accountId)
}

/** Returns whether an account allows the user to add it to a collection, perhaps after a request to its server. */
export function canBeAdded({ featureApproval }: Account): boolean {
  const { currentUser } = featureApproval
  return currentUser === 'automatic' || currentUser === 'manual'
}

async function listAll(pages: CollectionList, firstLimit: number): Promise<Collection[]> {
  const found: Collection[] = []
  while (true) {
    const limit = found.length === 0 ? firstLimit : PAGE_LIMIT
    const { collections } = await pages.list({ limit, offset: found.length })
    const page = collections as Collection[]
    found.push(...page)
    if (page.length < limit) return found
  }
}

async function findAccounts(ids: readonly string[]): Promise<Map<string, Account>> {
  const unique = [...new Set(ids)]
  const found = new Map<string, Account>()
  for (let start = 0; start < unique.length; start += MAX_IDS) {
    const accounts = await api().v1.accounts.fetch({ id: unique.slice(start, start + MAX_IDS) })
    for (const account of accounts as unknown as Account[]) found.set(account.id, account)
  }
  return found
}
