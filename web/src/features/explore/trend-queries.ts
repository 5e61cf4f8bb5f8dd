import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Status, Suggestion, Tag, TrendsLink } from '../../lib/api/entities.ts'
import { api } from '../../lib/session.ts'
import { saveStatuses } from '../statuses/status-store.ts'

const PAGE_SIZE = 20

/** The ids of trending statuses. */
export const trendingStatusesQuery = infiniteQueryOptions({
  queryKey: ['trends', 'statuses'],
  queryFn: async ({ pageParam }) =>
    saveStatuses((await api().v1.trends.statuses.list(pageFrom(pageParam))) as unknown as Status[]),
  initialPageParam: 0,
  getNextPageParam: nextOffset,
})

export const trendingTagsQuery = infiniteQueryOptions({
  queryKey: ['trends', 'tags'],
  queryFn: async ({ pageParam }) => (await api().v1.trends.tags.list(pageFrom(pageParam))) as unknown as Tag[],
  initialPageParam: 0,
  getNextPageParam: nextOffset,
})

export const trendingLinksQuery = infiniteQueryOptions({
  queryKey: ['trends', 'links'],
  queryFn: async ({ pageParam }) => (await api().v1.trends.links.list(pageFrom(pageParam))) as unknown as TrendsLink[],
  initialPageParam: 0,
  getNextPageParam: nextOffset,
})

export const suggestionsQuery = queryOptions({
  queryKey: ['suggestions'],
  queryFn: async () => (await api().v2.suggestions.list({ limit: 40 })) as unknown as Suggestion[],
})

/** The types of masto.js do not have the offset. */
function pageFrom(offset: number): { limit: number } {
  const page = { limit: PAGE_SIZE, offset }
  return page
}

function nextOffset(last: readonly unknown[], _pages: unknown, offset: number): number | undefined {
  return last.length === 0 ? undefined : offset + PAGE_SIZE
}
