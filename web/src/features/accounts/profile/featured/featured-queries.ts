import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../../lib/session.ts'
import type { FeaturedTag } from '../../../../lib/api/entities.ts'

export const featuredTagsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['featured-tags', accountId],
    queryFn: async () => (await api().v1.accounts.$select(accountId).featuredTags.list()) as unknown as FeaturedTag[],
  })
