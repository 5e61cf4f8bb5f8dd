import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import type { NotificationSubjectRow } from './list-notifications.ts'
import {
  FILTER_PARAMETERS,
  filterParameters,
  matchesFilter,
  matchesType,
  isVisibleNotification,
} from './notification-visibility.ts'
import type { FilterParameters, NotificationFilter } from './notification-visibility.ts'

/** The maximum count of notifications in a group, because each page counts its groups again. */
const MAX_COUNT = 10_000

/** The maximum number of sample accounts of a group. */
const SAMPLES = 8

const UNGROUPED = 'ungrouped-'

/**
 * A group of notifications (Mastodon: NotificationGroup), or one that is not grouped, with the subject of its newest
 * notification.
 */
export interface NotificationGroupRow extends NotificationSubjectRow {
  key: string
  /** The newest notification of the group, which represents it. */
  newestId: string
  count: number
  sampleAccountIds: string[]
  /** The oldest and newest notification of the group on this page, and the time of the newest. */
  pageMinId: string
  pageMaxId: string
  latestAt: Date
}

type Direction = 'asc' | 'desc'

// $groupedTypes null: all types that can be grouped.
const groupKeySql = (n: string) =>
  `case when $groupedTypes::text[] is null or ${n}.type = any($groupedTypes) then ${n}.group_key end`
const isRequested = (n: string) => `${isVisibleNotification(n)} and ${matchesFilter(n, FILTER_PARAMETERS)}`

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
const walkSql = (direction: Direction) => {
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

/** SQL for the columns of a `NotificationGroupRow`, of the positions in the table `page`. */
const GROUPS = `select coalesce(page.key, '${UNGROUPED}' || page.id) as key, page.id as "newestId",
     newest.from_account_id, newest.type, newest.status_id, newest.collection_id, newest.report_id, newest.severance_id,
     newest.warning_id, newest.annual_report_id,
     case when page.key is null then 1 else (select count(*)::int from (
       select from notifications n where n.account_id = $accountId and n.group_key = page.key
         and n.filtered = newest.filtered limit ${MAX_COUNT}) n) end as count,
     case when page.key is null then array[newest.from_account_id] else array(
       select n.from_account_id from notifications n join accounts a on a.id = n.from_account_id
       where n.account_id = $accountId and n.group_key = page.key and n.id <= page.id
         and n.filtered = newest.filtered
         and a.suspended_at is null order by n.id desc limit ${SAMPLES}) end as "sampleAccountIds",
     case when page.key is null then page.id else (
       select n.id from notifications n where n.account_id = $accountId and n.group_key = page.key
         and n.id >= (select min(id) from page)
       order by n.id limit 1) end as "pageMinId",
     page.id as "pageMaxId", newest.created_at as "latestAt"
   from page join notifications newest on newest.id = page.id`

const groupsStatement = (direction: Direction) =>
  statement<{ params: WalkParameters; row: NotificationGroupRow }>(
    `${walkSql(direction)} ${GROUPS} order by page.id ${direction}`,
  )
const groupsDescending = groupsStatement('desc')
const groupsAscending = groupsStatement('asc')

const countGroups = statement<{ params: WalkParameters; row: { count: number } }>(
  `${walkSql('desc')} select count(*)::int as count from page`,
)

const selectGroup = statement<{
  params: { accountId: string; id: string; key: string | null }
  row: NotificationGroupRow
}>(`with page as (select $id::bigint as id, $key::text as key) ${GROUPS}`)

export interface GroupedNotificationFilter extends NotificationFilter {
  /** The types to group; null = all that can be grouped. */
  groupedTypes?: readonly string[] | null
}

type GroupsInput = { accountId: string; page: Page } & GroupedNotificationFilter

function walkParameters({ accountId, page, groupedTypes = null, ...filter }: GroupsInput): WalkParameters {
  return { accountId, ...pageParameters(page), ...filterParameters(filter), groupedTypes }
}

/** Returns a page of an account's notification groups, latest notification first. */
export async function listGroups(read: Read, input: GroupsInput): Promise<NotificationGroupRow[]> {
  const parameters = walkParameters(input)
  return readKeysetPage(input.page, {
    descending: () => groupsDescending(read.db, parameters),
    ascending: () => groupsAscending(read.db, parameters),
  })
}

const findByKey = statement<{ params: { accountId: string; key: string }; row: { id: string } }>(
  `select n.id from notifications n where n.group_key = $key and ${isVisibleNotification('n')} order by n.id desc limit 1`,
)
const findById = statement<{ params: { accountId: string; ungroupedId: string }; row: { id: string } }>(
  `select n.id from notifications n where n.id = $ungroupedId and ${isVisibleNotification('n')}`,
)

/** Returns a group of the account's notifications by its key. @throws NotFoundError also if all of it is hidden */
export async function findGroup(
  read: Read,
  { accountId, key }: { accountId: string; key: string },
): Promise<NotificationGroupRow> {
  const ungroupedId = ungroupedIdOf(key)
  const [row] =
    ungroupedId === null
      ? await findByKey(read.db, { accountId, key })
      : await findById(read.db, { accountId, ungroupedId })
  if (!row) throw new NotFoundError()
  const [group] = await selectGroup(read.db, { accountId, id: row.id, key: ungroupedId === null ? key : null })
  if (!group) throw new NotFoundError()
  return group
}

const senderPage = keysetClause('n.id')
const senderStatement = (order: string) =>
  statement<{
    params: { accountId: string; key: string; id: string | null } & PageParameters
    row: { id: string; account_id: string }
  }>(
    `select n.id, n.from_account_id as account_id from notifications n
     where ${isVisibleNotification('n')} and ($id::bigint is null and n.group_key = $key or n.id = $id)
       and ${senderPage.where} ${order}`,
  )
const sendersDescending = senderStatement(senderPage.descending)
const sendersAscending = senderStatement(senderPage.ascending)

/** Returns a page of the senders of a group, latest first; `id`: the id of the notification, which is the cursor. */
export async function listGroupSenders(
  read: Read,
  { accountId, key, page }: { accountId: string; key: string; page: Page },
): Promise<{ id: string; account_id: string }[]> {
  const values = { accountId, key, id: ungroupedIdOf(key), ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => sendersDescending(read.db, values),
    ascending: () => sendersAscending(read.db, values),
  })
}

const removeGroup = statement<{ params: { accountId: string; key: string } }>(
  `delete from notifications where account_id = $accountId and group_key = $key`,
)
const removeOne = statement<{ params: { accountId: string; ungroupedId: string } }>(
  `delete from notifications where account_id = $accountId and id = $ungroupedId`,
)

/** Deletes a group of the account's notifications, if it exists. */
export async function dismissGroup(tx: Tx, { accountId, key }: { accountId: string; key: string }): Promise<void> {
  const ungroupedId = ungroupedIdOf(key)
  await (ungroupedId === null ? removeGroup(tx.db, { accountId, key }) : removeOne(tx.db, { accountId, ungroupedId }))
}

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

/** Returns the id of the ungrouped notification that a key stands for; null for the key of a group. */
function ungroupedIdOf(key: string): string | null {
  if (!key.startsWith(UNGROUPED)) return null
  const id = key.slice(UNGROUPED.length)
  // No notification has the id 0.
  return isId(id) ? id : '0'
}
