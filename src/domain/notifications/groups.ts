import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { CHOICE, choiceParameters, isChosen, isOfKind, isShown } from './shown.ts'
import type { ChoiceParameters, NotificationChoice } from './shown.ts'

/** No further than so many are counted: a group is counted again for each page that shows it. */
const MAX_COUNT = 10_000

/** So many who caused a group are shown beside it. */
const SAMPLES = 8

const UNGROUPED = 'ungrouped-'

/** Notifications that are shown as one. */
export interface NotificationGroupRow {
  key: string
  /** The newest of them, which stands for all. */
  newestId: string
  count: number
  sampleAccountIds: string[]
  /** The oldest and the newest on this page, and when the newest came. */
  pageMinId: string
  pageMaxId: string
  latestAt: Date
}

/** A group, or what is alone, where its newest notification is. */
interface Stand {
  id: string
  key: string | null
}

// `$groupedKinds` null: all kinds that can be grouped.
const keyOf = (n: string) =>
  `case when $groupedKinds::text[] is null or ${n}.type = any($groupedKinds) then ${n}.group_key end`
const wanted = (n: string) => `${isShown(n)} and ${isChosen(n, CHOICE)}`

type WalkParameters = { accountId: string; groupedKinds: readonly string[] | null } & PageParameters & ChoiceParameters

/** A stretch is so many times longer than a page, and than the one before it. */
const STRETCH = 4

/**
 * Goes through notifications by stretches, each longer than the one before, until a page is full. The index alone says
 * which groups are met in one; only of those that are met for the first time is the newest looked for, which is where
 * a group stands. Only what stands within the stretches counts as found: others may come before what stands beyond.
 */
const walk = (direction: 'asc' | 'desc') => {
  const [beyond, within, last, start] =
    direction === 'asc' ? ['>', '<=', 'max', '0'] : ['<', '>=', 'min', '9223372036854775807']
  const isOnPage = (column: string) => pageClause(column).where
  return statement<{ params: WalkParameters; row: Stand }>(
    `with recursive walked (edge, size, met, ids, keys, found, more) as (
       select ${start}::bigint, $limit::bigint * ${STRETCH}, '{}'::text[], '{}'::bigint[], '{}'::text[], 0, $limit::bigint > 0
       union all
       select stretch.edge, walked.size * ${STRETCH}, walked.met || stretch.met, walked.ids || stretch.ids,
         walked.keys || stretch.keys, (select count(*)::int from unnest(walked.ids || stretch.ids) id
           where id ${within} stretch.edge), coalesce(stretch.size = walked.size, false)
       from walked, lateral (
         with heads as materialized (
           select key, case when key is null then id end as alone_id, ${last}(id) as edge, count(*) as size from (
             select n.id, ${keyOf('n')} as key from notifications n
             where n.account_id = $accountId and ${isOnPage('n.id')} and n.id ${beyond} walked.edge and ${isOfKind('n', CHOICE)}
             order by n.id ${direction} limit walked.size) n
           group by 1, 2
         ), fresh as materialized (
           select key from heads where key is not null except select unnest(walked.met)
         ), stands as (
           select newest.id, fresh.key from fresh, lateral (
             select n.id from notifications n where n.group_key = fresh.key and ${wanted('n')}
             order by n.id desc limit 1) newest
           union all
           select heads.alone_id, null from heads, lateral (
             select from notifications n where n.id = heads.alone_id and ${wanted('n')} offset 0) alone
         )
         select coalesce((select ${last}(edge) from heads), walked.edge) as edge,
           (select sum(size) from heads) as size, array(select key from fresh) as met,
           coalesce(array_agg(stands.id), '{}') as ids, coalesce(array_agg(stands.key), '{}') as keys
         from stands where ${isOnPage('stands.id')}
       ) stretch
       where walked.more and walked.found < $limit
     )
     select stand.id, stand.key from (select * from walked order by size desc limit 1) walked,
       unnest(walked.ids, walked.keys) stand (id, key)
     order by stand.id ${direction} limit $limit`,
  )
}
const down = walk('desc')
const up = walk('asc')

const describe = statement<{
  params: { accountId: string; ids: readonly string[]; keys: readonly (string | null)[]; oldestId: string }
  row: NotificationGroupRow
}>(
  `select coalesce(wanted.key, '${UNGROUPED}' || wanted.id) as key, wanted.id as "newestId",
     case when wanted.key is null then 1 else (select count(*)::int from (
       select from notifications n where n.account_id = $accountId and n.group_key = wanted.key
         and n.filtered = newest.filtered limit ${MAX_COUNT}) n) end as count,
     case when wanted.key is null then array[newest.from_account_id] else array(
       select n.from_account_id from notifications n join accounts a on a.id = n.from_account_id
       where n.account_id = $accountId and n.group_key = wanted.key and n.id <= wanted.id
         and n.filtered = newest.filtered
         and a.suspended_at is null order by n.id desc limit ${SAMPLES}) end as "sampleAccountIds",
     case when wanted.key is null then wanted.id else (
       select n.id from notifications n where n.account_id = $accountId and n.group_key = wanted.key
         and n.id >= $oldestId
       order by n.id limit 1) end as "pageMinId",
     wanted.id as "pageMaxId", newest.created_at as "latestAt"
   from unnest($ids::bigint[], $keys::text[]) with ordinality as wanted (id, key, place)
     join notifications newest on newest.id = wanted.id
   order by wanted.place`,
)

export interface GroupedChoice extends NotificationChoice {
  /** Only these are grouped; null = all that can be. */
  groupedKinds?: readonly string[] | null
}

async function walkGroups(
  read: Read,
  { accountId, page, groupedKinds = null, ...choice }: { accountId: string; page: Page } & GroupedChoice,
): Promise<Stand[]> {
  const values = { accountId, ...pageParameters(page), ...choiceParameters(choice), groupedKinds }
  return readPaged(page, { descending: () => down(read.db, values), ascending: () => up(read.db, values) })
}

/** A page of somebody's notifications in groups, the one with the latest notification first: two statements. */
export async function readGroups(
  read: Read,
  input: { accountId: string; page: Page } & GroupedChoice,
): Promise<NotificationGroupRow[]> {
  const stands = await walkGroups(read, input)
  return describeGroups(read, { accountId: input.accountId, stands })
}

async function describeGroups(
  read: Read,
  { accountId, stands }: { accountId: string; stands: readonly Stand[] },
): Promise<NotificationGroupRow[]> {
  const oldest = stands.at(-1)
  if (!oldest) return []
  const [ids, keys] = [stands.map(({ id }) => id), stands.map(({ key }) => key)]
  return describe(read.db, { accountId, ids, keys, oldestId: oldest.id })
}

const findByKey = statement<{ params: { accountId: string; key: string }; row: { id: string } }>(
  `select n.id from notifications n where n.group_key = $key and ${isShown('n')} order by n.id desc limit 1`,
)
const findById = statement<{ params: { accountId: string; alone: string }; row: { id: string } }>(
  `select n.id from notifications n where n.id = $alone and ${isShown('n')}`,
)

/** One group of somebody's notifications, by its key. @throws NotFound also for what is hidden by now */
export async function findGroup(
  read: Read,
  { accountId, key }: { accountId: string; key: string },
): Promise<NotificationGroupRow> {
  const alone = idOf(key)
  const [row] =
    alone === null ? await findByKey(read.db, { accountId, key }) : await findById(read.db, { accountId, alone })
  if (!row) throw new NotFound()
  const stand = { id: row.id, key: alone === null ? key : null }
  const [group] = await describeGroups(read, { accountId, stands: [stand] })
  if (!group) throw new NotFound()
  return group
}

const causers = pageClause('n.id')
const selectCausers = (order: string) =>
  statement<{
    params: { accountId: string; key: string; id: string | null } & PageParameters
    row: { id: string; account_id: string }
  }>(
    `select n.id, n.from_account_id as account_id from notifications n
     where ${isShown('n')} and ($id::bigint is null and n.group_key = $key or n.id = $id)
       and ${causers.where} ${order}`,
  )
const newestCausers = selectCausers(causers.descending)
const olderCausers = selectCausers(causers.ascending)

/** Who caused a group, latest first; `id`: of the notification, by which the list is paged. */
export async function readCausers(
  read: Read,
  { accountId, key, page }: { accountId: string; key: string; page: Page },
): Promise<{ id: string; account_id: string }[]> {
  const values = { accountId, key, id: idOf(key), ...pageParameters(page) }
  return readPaged(page, {
    descending: () => newestCausers(read.db, values),
    ascending: () => olderCausers(read.db, values),
  })
}

const removeGroup = statement<{ params: { accountId: string; key: string } }>(
  `delete from notifications where account_id = $accountId and group_key = $key`,
)
const removeOne = statement<{ params: { accountId: string; alone: string } }>(
  `delete from notifications where account_id = $accountId and id = $alone`,
)

/** Takes a group of somebody's notifications away; one that there is not is gone already. */
export async function dismissGroup(tx: Tx, { accountId, key }: { accountId: string; key: string }): Promise<void> {
  const alone = idOf(key)
  await (alone === null ? removeGroup(tx.db, { accountId, key }) : removeOne(tx.db, { accountId, alone }))
}

/** How many groups, up to a limit, there are above the point to which somebody has read. */
export async function countUnreadGroups(
  read: Read,
  { accountId, limit, sinceId, ...choice }: { accountId: string; limit: number; sinceId: string } & GroupedChoice,
): Promise<number> {
  return (await walkGroups(read, { accountId, page: { limit, sinceId }, ...choice })).length
}

/** The id of a notification that belongs to no group, by the key that it has all the same; null for a true key. */
function idOf(key: string): string | null {
  if (!key.startsWith(UNGROUPED)) return null
  const id = key.slice(UNGROUPED.length)
  // An id that nobody can have is that of none.
  return isId(id) ? id : '0'
}
