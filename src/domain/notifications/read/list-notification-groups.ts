import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import { filterVisibleStatuses } from '../../access/find-visible-statuses.ts'
import type { CachedRead, Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { groupsSql } from './notification-groups.ts'
import type { NotificationGroupRow } from './notification-groups.ts'
import {
  FILTER_PARAMETERS,
  filterParameters,
  isVisibleExceptStatus,
  isVisibleNotification,
  matchesFilter,
  matchesPolicy,
  matchesType,
} from './notification-visibility.ts'
import type { FilterParameters, NotificationFilter } from './notification-visibility.ts'

type Direction = 'asc' | 'desc'

// $groupedTypes null: all types that can be grouped.
const groupKeySql = (n: string) =>
  `case when $groupedTypes::text[] is null or ${n}.type = any($groupedTypes) then ${n}.group_key end`

/** Returns the SQL condition that a notification is visible to the account. */
type Visibility = (n: string) => string

type WalkParameters = { accountId: string; groupedTypes: readonly string[] | null } & PageParameters & FilterParameters

/** The first batch is this many times longer than a page, and each further one than the previous one. */
const BATCH_GROWTH = 4

/**
 * SQL that reads notifications in batches of increasing length until a page of groups is full. An index-only scan finds
 * the groups of a batch. For groups that appear for the first time, a lookup finds the newest notification, which is
 * the position of the group. Only positions within the batches so far count towards the page, because groups of later
 * batches may precede a position beyond them. Of the ungrouped notifications of a batch, those beyond the first page
 * are not looked up.
 */
const walkSql = (direction: Direction, visibility: Visibility) => {
  const isRequested = (n: string) => `${visibility(n)} and ${matchesFilter(n, FILTER_PARAMETERS)}`
  const [beyond, within, last, start] =
    direction === 'asc' ? ['>', '<=', 'max', '0'] : ['<', '>=', 'min', '9223372036854775807']
  const isOnPage = (column: string) => keysetClause(column).where
  return `with recursive walked (edge, size, seen, ids, keys, found, more) as (
       select ${start}::bigint, $limit::bigint * ${BATCH_GROWTH}, '{}'::text[], '{}'::bigint[], '{}'::text[], 0, $limit::bigint > 0
       union all
       select batch.edge, walked.size * ${BATCH_GROWTH}, walked.seen || batch.seen, walked.ids || batch.ids,
         walked.keys || batch.keys, (select count(*)::int from unnest(walked.ids || batch.ids) id
           where id ${within} batch.edge), coalesce(batch.size = walked.size, false)
       from walked, lateral (
         with heads as materialized (
           select key, case when key is null then id end as alone_id, ${last}(id) as edge, count(*) as size from (
             select n.id, ${groupKeySql('n')} as key from notifications n
             where n.account_id = $accountId and ${isOnPage('n.id')} and n.id ${beyond} walked.edge and ${matchesType('n', FILTER_PARAMETERS)}
             order by n.id ${direction} limit walked.size) n
           group by 1, 2
         ), unseen as materialized (
           select key from heads where key is not null except select unnest(walked.seen)
         ), positions as (
           select newest.id, unseen.key from unseen, lateral (
             select n.id from notifications n where n.group_key = unseen.key and ${isRequested('n')}
             order by n.id desc limit 1) newest
           union all
           (select alone.id, null from (select alone_id as id from heads where key is null order by 1 ${direction}) alone,
              lateral (select from notifications n where n.id = alone.id and ${isRequested('n')} offset 0) visible
            order by alone.id ${direction} limit $limit)
         )
         select coalesce((select ${last}(edge) from heads), walked.edge) as edge,
           (select sum(size) from heads) as size, array(select key from unseen) as seen,
           coalesce(array_agg(positions.id), '{}') as ids, coalesce(array_agg(positions.key), '{}') as keys
         from positions where ${isOnPage('positions.id')}
       ) batch
       where walked.more and walked.found < $limit
     ), page as (
       select entry.id, entry.key from (select * from walked order by size desc limit 1) walked,
         unnest(walked.ids, walked.keys) entry (id, key)
       order by entry.id ${direction} limit $limit
     )`
}

/** The last page also contains the older notifications of its groups, as in Mastodon. */
const PAGE_START = {
  asc: '(select min(id) from page)',
  desc: '(select case when count(*) < $limit::bigint then coalesce($sinceId::bigint, 0) + 1 else min(id) end from page)',
}

const groupsStatement = (direction: Direction, visibility: Visibility) => {
  const groups = groupsSql((n) => matchesPolicy(n, FILTER_PARAMETERS), PAGE_START[direction])
  return statement<{ params: WalkParameters; row: NotificationGroupRow }>(
    `${walkSql(direction, visibility)} ${groups} order by page.id ${direction}`,
  )
}
const groupsDescending = groupsStatement('desc', isVisibleNotification)
const groupsAscending = groupsStatement('asc', isVisibleNotification)
const groupsWithAnyStatus = groupsStatement('desc', (n) => isVisibleExceptStatus(n, '$accountId'))

export interface GroupedNotificationFilter extends NotificationFilter {
  /** The types to group; null = all that can be grouped. */
  groupedTypes?: readonly string[] | null
}

type GroupsInput = { accountId: string; page: Page } & GroupedNotificationFilter

function walkParameters({ accountId, page, groupedTypes = null, ...filter }: GroupsInput): WalkParameters {
  return { accountId, ...pageParameters(page), ...filterParameters(filter), groupedTypes }
}

/** Returns a page of an account's notification groups, latest notification first. */
export async function listGroups(read: CachedRead, input: GroupsInput): Promise<NotificationGroupRow[]> {
  const parameters = walkParameters(input)
  const { maxId, minId } = input.page
  if (maxId === undefined && minId === undefined) {
    const groups = await groupsWithAnyStatus(read.db, parameters)
    if (await areStatusesVisible(read, { groups, viewerId: input.accountId })) return groups
  }
  return readKeysetPage(input.page, {
    descending: () => groupsDescending(read.db, parameters),
    ascending: () => groupsAscending(read.db, parameters),
  })
}

/**
 * Returns whether the statuses of all groups are visible to the viewer. If they are on a first page that was read
 * without checking this in SQL, the page is correct: a check would have moved a group only to an older notification.
 * With cached states, this usually needs no statement.
 */
async function areStatusesVisible(
  read: CachedRead,
  { groups, viewerId }: { groups: readonly NotificationGroupRow[]; viewerId: string },
): Promise<boolean> {
  const ids = [...new Set(groups.flatMap(({ status_id: id }) => id ?? []))]
  return (await filterVisibleStatuses(read, { ids, viewerId })).length === ids.length
}

const countGroups = statement<{ params: WalkParameters; row: { count: number } }>(
  `${walkSql('desc', isVisibleNotification)} select count(*)::int as count from page`,
)

/** Returns the number of groups, up to a limit, whose newest notification is after `sinceId`. */
export async function countUnreadGroups(
  read: Read,
  {
    accountId,
    limit,
    sinceId,
    ...filter
  }: { accountId: string; limit: number; sinceId: string } & GroupedNotificationFilter,
): Promise<number> {
  const [row] = await countGroups(read.db, walkParameters({ accountId, page: { limit, sinceId }, ...filter }))
  return row?.count ?? 0
}
