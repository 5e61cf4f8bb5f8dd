import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../../lib/session.ts'
import type { Collection, CollectionWithAccounts, FeaturedTag } from '../../../../lib/api/entities.ts'

export const featuredTagsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['featured-tags', accountId],
    queryFn: async () => (await api().v1.accounts.$select(accountId).featuredTags.list()) as unknown as FeaturedTag[],
  })

/** The collections of an account. */
export const collectionsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['collections', accountId],
    queryFn: async () => {
      const { collections } = await api().v1.accounts.$select(accountId).collections.list()
      return collections as unknown as Collection[]
    },
  })

export const collectionQuery = (id: string) =>
  queryOptions({
    queryKey: ['collection', id],
    queryFn: async () => (await api().v1.collections.$select(id).fetch()) as unknown as CollectionWithAccounts,
  })
