import { statement } from '../../platform/db/statement.ts'
import {
  isNotBlockedOrMuted,
  isReplyEligibleInList,
  matchesFollowOptions,
  STATUSES_WITH_ATTRIBUTES,
  STORED_ATTRIBUTES,
} from '../access/feed-eligibility.ts'
import { isNotBlockedOrMutedBy } from '../access/feed-visibility.ts'
import { visibleTo } from '../access/visibility.ts'
import type { Read } from '../context.ts'
import { isThreadKnown } from './feeds/audience.ts'

/** A list, and its owner. */
interface ListSubscriber {
  listId: string
  accountId: string
}

interface SubscriberRow {
  list_id: string
  account_id: string
}

const toSubscriber = (row: SubscriberRow): ListSubscriber => ({ listId: row.list_id, accountId: row.account_id })

const selectListSubscribers = statement<{
  params: { statusId: string; listIds: readonly string[] }
  row: SubscriberRow
}>(
  `select l.id as list_id, l.account_id
   from list_entries e join lists l on l.id = e.list_id join statuses s on s.id = e.status_id
   where e.status_id = $statusId and e.list_id = any($listIds::bigint[])
     and ${visibleTo('l.account_id')} and ${isNotBlockedOrMutedBy('l.account_id')}`,
)

/** Returns those of the lists whose timeline shows the status to its owner now, with the owners. */
export async function filterListSubscribers(
  read: Read,
  { statusId, listIds }: { statusId: string; listIds: readonly string[] },
): Promise<ListSubscriber[]> {
  if (listIds.length === 0) return []
  return (await selectListSubscribers(read.db, { statusId, listIds })).map(toSubscriber)
}

// As for home feeds, the status may be older than the entries that a list retains.
const selectListEditSubscribers = statement<{
  params: { statusId: string; listIds: readonly string[] }
  row: SubscriberRow
}>(
  `select l.id as list_id, l.account_id from lists l, ${STATUSES_WITH_ATTRIBUTES}
   where l.id = any($listIds::bigint[]) and s.id = $statusId and ${visibleTo('l.account_id')} and (
     (exists (select from list_entries e where e.list_id = l.id and e.status_id = s.id)
       and ${isNotBlockedOrMutedBy('l.account_id')})
     or (s.visibility <> 'direct' and ${isReplyEligibleInList('l', STORED_ATTRIBUTES)} and exists (
       select from list_accounts la left join follows f on f.id = la.follow_id
       where la.list_id = l.id and la.account_id = s.account_id and (la.account_id = l.account_id or (
         ${matchesFollowOptions('f', STORED_ATTRIBUTES)} and ${isThreadKnown(STORED_ATTRIBUTES)}
         and ${isNotBlockedOrMuted('l.account_id', STORED_ATTRIBUTES)})))))`,
)

/**
 * Returns those of the lists whose owners receive the edit of a status, with the owners: the lists that contain the
 * status, or contained it before newer statuses replaced it.
 */
export async function filterListEditSubscribers(
  read: Read,
  { statusId, listIds }: { statusId: string; listIds: readonly string[] },
): Promise<ListSubscriber[]> {
  if (listIds.length === 0) return []
  return (await selectListEditSubscribers(read.db, { statusId, listIds })).map(toSubscriber)
}
