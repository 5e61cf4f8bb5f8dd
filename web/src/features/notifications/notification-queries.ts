import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { GroupedNotificationsResults, NotificationPolicy, NotificationRequest } from '../../lib/api/entities.ts'
import { api } from '../../lib/session.ts'
import { saveStatuses } from '../statuses/status-store.ts'
import { filterOf, mergeNewer, SUPPORTED_TYPES, toLoadedGroups } from './notification-groups.ts'
import type { LoadedGroup, NotificationTab } from './notification-groups.ts'

const PAGE_SIZE = 40

/** Which notifications a list contains: a part of all, or the filtered ones of one account. */
export type NotificationListName = { tab: NotificationTab } | { fromAccountId: string }

/** Loads a page of notification groups, and saves their statuses. */
async function fetchGroups(
  name: NotificationListName,
  page: { maxId?: string | undefined; sinceId?: string },
): Promise<LoadedGroup[]> {
  const filter = 'tab' in name ? filterOf(name.tab) : { accountId: name.fromAccountId, includeFiltered: true }
  const parameters = { ...filter, ...page, limit: PAGE_SIZE, expandAccounts: 'full', supportedTypes: SUPPORTED_TYPES }
  // masto.js does not know all types of the server.
  const response = await api().v2.notifications.list(parameters as never)
  const results = response as unknown as GroupedNotificationsResults
  saveStatuses(results.statuses)
  return toLoadedGroups(results)
}

/** The groups of a list, the newest first. They stay as they are until `loadNewer` shows newer ones. */
export const notificationsQuery = (name: NotificationListName) =>
  infiniteQueryOptions({
    queryKey: ['notifications', name],
    queryFn: ({ pageParam }) => fetchGroups(name, { maxId: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: LoadedGroup[]) => (last.length === 0 ? undefined : last.at(-1)!.id),
    staleTime: Infinity,
  })

/** Loads the groups that are newer than those of a list; null if there may be more of them than a page holds. */
export async function fetchNewer(name: NotificationListName, newestId: string): Promise<LoadedGroup[] | null> {
  const groups = await fetchGroups(name, { sinceId: newestId })
  return groups.length < PAGE_SIZE ? groups : null
}

export type NotificationPages = InfiniteData<LoadedGroup[], string | undefined>

/** Shows newer groups at the top of a list. */
export function showNewer(
  client: QueryClient,
  { name, newer }: { name: NotificationListName; newer: readonly LoadedGroup[] },
): void {
  client.setQueryData<NotificationPages>(
    notificationsQuery(name).queryKey,
    (data) => data && { ...data, pages: [...mergeNewer(data.pages, newer)] },
  )
}

/** The id of the newest notification that the user has read; null if none is known. */
export const readMarkerQuery = queryOptions({
  queryKey: ['notification-marker'],
  queryFn: async () => {
    const { notifications } = await api().v1.markers.fetch({ timeline: ['notifications'] })
    return notifications?.lastReadId ?? null
  },
  // The mark of new notifications stays until the page is left.
  staleTime: Infinity,
  gcTime: 0,
})

export const policyQuery = queryOptions({
  queryKey: ['notification-policy'],
  queryFn: async () => (await api().v2.notifications.policy.fetch()) as unknown as NotificationPolicy,
})

export const requestsQuery = infiniteQueryOptions({
  queryKey: ['notification-requests'],
  queryFn: async ({ pageParam }) => {
    const page = { limit: PAGE_SIZE, maxId: pageParam }
    const requests = (await api().v1.notifications.requests.list(page)) as unknown as NotificationRequest[]
    saveStatuses(requests.flatMap(({ lastStatus }) => lastStatus ?? []))
    return requests
  },
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.at(-1)?.id,
})

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['notification-request', id],
    queryFn: async () => (await api().v1.notifications.requests.$select(id).fetch()) as unknown as NotificationRequest,
  })
