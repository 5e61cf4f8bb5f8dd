import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
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

/** A group of notifications (Mastodon: NotificationGroup), or one that is not grouped. */
export interface NotificationGroupRow {
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

/** The position of a group, or of an ungrouped notification (`key` is null), by the id of its newest notification. */
interface GroupPosition {
  id: string
  key: string | null
}

// $groupedTypes null: all types that can be grouped.
const groupKeySql = (n: string) =>
  `case when $groupedTypes::text[] is null or ${n}.type = any($groupedTypes) then ${n}.group_key end`
const isRequested = (n: string) => `${isVisibleNotification(n)} and ${matchesFilter(n, FILTER_PARAMETERS)}`

type WalkParameters = { accountId: string; groupedTypes: readonly string[] | null } & PageParameters & FilterParameters

/** The first batch is this many times longer than a page, and each further one than the previous one. */
const BATCH_GROWTH = 4

/**
 * Reads notifications in batches of increasing length until a page of groups is full. An index-only scan finds the
 * groups of a batch. For groups that appear for the first time, a lookup finds the newest notification, which is the
 * position of the group. Only positions within the batches so far count towards the page, because groups of later
 * batches may precede a position beyond them.
 */
const walkStatement = (direction: 'asc' | 'desc') => {
  const [beyond, within, last, start] =
    direction === 'asc' ? ['>', '<=', 'max', '0'] : ['<', '>=', 'min', '9223372036854775807']
  const isOnPage = (column: string) => keysetClause(column).where
  return statement<{ params: WalkParameters; row: GroupPosition }>(
    `with recursive walked (edge, size, seen, ids, keys, found, more) as (
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
           select heads.alone_id, null from heads, lateral (
             select from notifications n where n.id = heads.alone_id and ${isRequested('n')} offset 0) visible
         )
         select coalesce((select ${last}(edge) from heads), walked.edge) as edge,
           (select sum(size) from heads) as size, array(select key from unseen) as seen,
           coalesce(array_agg(positions.id), '{}') as ids, coalesce(array_agg(positions.key), '{}') as keys
         from positions where ${isOnPage('positions.id')}
       ) batch
       where walked.more and walked.found < $limit
     )
     select entry.id, entry.key from (select * from walked order by size desc limit 1) walked,
       unnest(walked.ids, walked.keys) entry (id, key)
     order by entry.id ${direction} limit $limit`,
  )
}
const walkDescending = walkStatement('desc')
const walkAscending = walkStatement('asc')

const selectGroups = statement<{
  params: { accountId: string; ids: readonly string[]; keys: readonly (string | null)[]; oldestId: string }
  row: NotificationGroupRow
}>(
  `select coalesce(requested.key, '${UNGROUPED}' || requested.id) as key, requested.id as "newestId",
     case when requested.key is null then 1 else (select count(*)::int from (
       select from notifications n where n.account_id = $accountId and n.group_key = requested.key
         and n.filtered = newest.filtered limit ${MAX_COUNT}) n) end as count,
     case when requested.key is null then array[newest.from_account_id] else array(
       select n.from_account_id from notifications n join accounts a on a.id = n.from_account_id
       where n.account_id = $accountId and n.group_key = requested.key and n.id <= requested.id
         and n.filtered = newest.filtered
         and a.suspended_at is null order by n.id desc limit ${SAMPLES}) end as "sampleAccountIds",
     case when requested.key is null then requested.id else (
       select n.id from notifications n where n.account_id = $accountId and n.group_key = requested.key
         and n.id >= $oldestId
       order by n.id limit 1) end as "pageMinId",
     requested.id as "pageMaxId", newest.created_at as "latestAt"
   from unnest($ids::bigint[], $keys::text[]) with ordinality as requested (id, key, position)
     join notifications newest on newest.id = requested.id
   order by requested.position`,
)

export interface GroupedNotificationFilter extends NotificationFilter {
  /** The types to group; null = all that can be grouped. */
  groupedTypes?: readonly string[] | null
}

async function walkGroups(
  read: Read,
  { accountId, page, groupedTypes = null, ...filter }: { accountId: string; page: Page } & GroupedNotificationFilter,
): Promise<GroupPosition[]> {
  const values = { accountId, ...pageParameters(page), ...filterParameters(filter), groupedTypes }
  return readKeysetPage(page, {
    descending: () => walkDescending(read.db, values),
    ascending: () => walkAscending(read.db, values),
  })
}

/** Returns a page of an account's notification groups, latest notification first, with two statements. */
export async function listGroups(
  read: Read,
  input: { accountId: string; page: Page } & GroupedNotificationFilter,
): Promise<NotificationGroupRow[]> {
  const positions = await walkGroups(read, input)
  return describeGroups(read, { accountId: input.accountId, positions })
}

async function describeGroups(
  read: Read,
  { accountId, positions }: { accountId: string; positions: readonly GroupPosition[] },
): Promise<NotificationGroupRow[]> {
  const oldest = positions.at(-1)
  if (!oldest) return []
  const [ids, keys] = [positions.map(({ id }) => id), positions.map(({ key }) => key)]
  return selectGroups(read.db, { accountId, ids, keys, oldestId: oldest.id })
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
  const position = { id: row.id, key: ungroupedId === null ? key : null }
  const [group] = await describeGroups(read, { accountId, positions: [position] })
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
  return (await walkGroups(read, { accountId, page: { limit, sinceId }, ...filter })).length
}

/** Returns the id of the ungrouped notification that a key stands for; null for the key of a group. */
function ungroupedIdOf(key: string): string | null {
  if (!key.startsWith(UNGROUPED)) return null
  const id = key.slice(UNGROUPED.length)
  // No notification has the id 0.
  return isId(id) ? id : '0'
}
