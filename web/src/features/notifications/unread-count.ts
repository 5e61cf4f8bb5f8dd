import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/session.ts'

/** The number of groups that are newer than the read marker, at most 100. */
export const unreadCountQuery = queryOptions({
  queryKey: ['unread-notifications'],
  queryFn: async () => (await api().v2.notifications.unreadCount.fetch()).count,
})
