import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Account, Collection, Search, Tag } from '../../lib/api/entities.ts'
import { api } from '../../lib/session.ts'
import { saveStatuses } from '../statuses/status-store.ts'
import { needsResolving } from './needs-resolving.ts'

/** A kind of results; `all`: the best of each kind. */
export type SearchType = 'all' | 'accounts' | 'hashtags' | 'statuses'

/** A page of results. The statuses are in the store of statuses. */
export interface SearchResults {
  accounts: Account[]
  hashtags: Tag[]
  statusIds: string[]
  /** Only for URLs. */
  collections: Collection[]
}

const PAGE_SIZE = 20
/** How many results of each kind are shown if the user has not chosen one. */
const OVERVIEW_SIZE = 5

/** The results of a search. The server resolves URLs and handles with other servers. */
export const searchQuery = ({ q, type }: { q: string; type: SearchType }) =>
  infiniteQueryOptions({
    queryKey: ['search', q, type],
    queryFn: async ({ pageParam }): Promise<SearchResults> => {
      const kind = type === 'all' ? { limit: OVERVIEW_SIZE } : { type, limit: PAGE_SIZE, offset: pageParam }
      const found = (await api().v2.search.list({
        q,
        ...kind,
        resolve: needsResolving(q) && pageParam === 0,
      })) as unknown as Search
      const { accounts, hashtags, collections } = found
      return { accounts, hashtags, collections, statusIds: saveStatuses(found.statuses) }
    },
    initialPageParam: 0,
    getNextPageParam: ({ accounts, hashtags, statusIds }, _pages, offset) =>
      type === 'all' || accounts.length + hashtags.length + statusIds.length === 0 ? undefined : offset + PAGE_SIZE,
  })
