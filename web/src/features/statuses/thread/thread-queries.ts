import { queryOptions } from '@tanstack/react-query'
import { isMissing } from '../../../lib/api/is-missing.ts'
import { api } from '../../../lib/session.ts'
import type { AsyncRefresh, Context, Status } from '../../../lib/api/entities.ts'
import { saveStatus, saveStatuses } from '../status-store.ts'
import type { ThreadStatus } from './thread-tree.ts'

/** Without a network, a request fails at once, and what is loaded already stays. */
const OFFLINE_TOO = { networkMode: 'always', refetchOnReconnect: true } as const

/** Loads a status into the store. */
export const statusQuery = (id: string) =>
  queryOptions({
    queryKey: ['status', id],
    queryFn: async () => saveStatus((await api().v1.statuses.$select(id).fetch()) as unknown as Status),
    retry: (failures, error) => failures < 1 && !isMissing(error),
    ...OFFLINE_TOO,
  })

/** A search of the server for replies on other servers, from the header `Mastodon-Async-Refresh`. */
export interface ReplySearch {
  id: string
  retrySeconds: number
  /** The number of replies that it had found at the time of the response. */
  foundCount: number
}

/** Loads what is above and below a status into the store. */
export const contextQuery = (id: string) =>
  queryOptions({
    queryKey: ['context', id],
    queryFn: async () => {
      const { data, headers } = await api().v1.statuses.$select(id).context.fetch.$raw()
      const { ancestors, descendants } = data as unknown as Context
      saveStatuses(descendants)
      return {
        ancestorIds: saveStatuses(ancestors),
        descendants: descendants.map(({ id, account, inReplyToId }): ThreadStatus => ({
          id,
          accountId: account.id,
          inReplyToId,
        })),
        search: parseReplySearch(headers.get('mastodon-async-refresh')),
      }
    },
    ...OFFLINE_TOO,
  })

function parseReplySearch(header: string | null): ReplySearch | null {
  const id = /id="([^"]+)"/.exec(header ?? '')?.[1]
  const read = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(header ?? '')?.[1] ?? 0)
  return id === undefined ? null : { id, retrySeconds: Math.max(1, read('retry')), foundCount: read('result_count') }
}

/** The state of a search for replies, until it has finished. */
export const replySearchQuery = (search: ReplySearch) =>
  queryOptions({
    queryKey: ['reply-search', search.id],
    queryFn: async () => {
      const client = api() as unknown as AsyncRefreshes
      return (await client.v1_alpha.asyncRefreshes.$select(search.id).fetch()).asyncRefresh
    },
    refetchInterval: ({ state }) => (state.data?.status === 'finished' ? false : search.retrySeconds * 1000),
    retry: false,
  })

/** An endpoint of Mastodon 4.4 that masto.js does not type. */
interface AsyncRefreshes {
  v1_alpha: { asyncRefreshes: { $select(id: string): { fetch(): Promise<{ asyncRefresh: AsyncRefresh }> } } }
}
