import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { findMarkers } from '../../core/markers.ts'
import { FILTER_PARAMETERS, filterParameters, matchesFilter, isVisibleNotification } from './notification-visibility.ts'
import type { FilterParameters, NotificationFilter } from './notification-visibility.ts'

const count = statement<{
  params: { accountId: string; sinceId: string; limit: number } & FilterParameters
  row: { count: number }
}>(
  `select count(*)::int as count from (
     select from notifications n where ${isVisibleNotification('n')} and n.id > $sinceId and ${matchesFilter('n', FILTER_PARAMETERS)}
     order by n.id desc limit $limit) n`,
)

/** Returns the number of notifications, up to a limit, after the account's read marker. */
export async function countUnreadNotifications(
  read: Read,
  { accountId, limit, ...filter }: { accountId: string; limit: number } & NotificationFilter,
): Promise<number> {
  const sinceId = await findLastRead(read, { accountId })
  const [row] = await count(read.db, { accountId, sinceId, limit, ...filterParameters(filter) })
  return row!.count
}

/** Returns the id of the account's read marker; '0' if there is none. */
export async function findLastRead(read: Read, { accountId }: { accountId: string }): Promise<string> {
  const [marker] = await findMarkers(read, { accountId, timelines: ['notifications'] })
  return marker?.last_read_id ?? '0'
}
