import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read, Tx } from '../context.ts'
import { pageClause, pageValues, readPaged } from '../feeds/page.ts'
import { choiceValues, isChosen, isShown } from './shown.ts'
import type { NotificationChoice } from './shown.ts'

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

// Whether a kind is to be grouped: $10, null = each that can be.
const keyOf = (n: string) => `case when $10::text[] is null or ${n}.type = any($10) then ${n}.group_key end`
const wanted = (n: string) => `${isShown(n)} and ${isChosen(n, 6)}`

/**
 * Steps from group to group, each of which stands where its newest notification is. Those of a group that was met
 * before are stepped over by the index alone, up to where the newest of it is: downwards that lies behind, upwards ahead.
 * $1 whose they are, $2–$4 cursors, $5 how many groups, $6–$9 which, $10 kinds to group.
 */
const walk = (direction: 'asc' | 'desc') => {
  const cut = pageClause('next.id', 2)
  const step = (seen: string, newests: string, from: string) => `
    select n.id, ${keyOf('n')} as key, coalesce((
        select peer.id from notifications peer
        where ${keyOf('n')} is not null and peer.account_id = $1 and peer.group_key = n.group_key and ${wanted('peer')}
        order by peer.id desc limit 1), n.id) as newest_id
    from (
      select next.id from notifications next
      where next.account_id = $1 and ${cut.where} ${from} and (${keyOf('next')} is null
        or not next.group_key = any(${seen})${direction === 'asc' ? ` or next.id = any(${newests})` : ''})
      order by next.id ${direction} offset 0
    ) next join lateral (select * from notifications n where n.id = next.id and ${wanted('n')} offset 0) n on true
    order by next.id ${direction} limit 1`
  const state = (before: { found: string; seen: string; newests: string }) => `
    next.id, next.newest_id, next.key, ${before.found} + (next.id = next.newest_id)::int,
    case when next.key is null then ${before.seen} else ${before.seen} || next.key end,
    case when next.id = next.newest_id then ${before.newests} else ${before.newests} || next.newest_id end`
  const none = { found: '0', seen: `'{}'::text[]`, newests: `'{}'::bigint[]` }
  const last = { found: 'last.found', seen: 'last.seen', newests: 'last.newests' }
  return statement<{ id: string; key: string | null }>(
    `with recursive steps (id, newest_id, key, found, seen, newests) as (
       select ${state(none)} from (${step(none.seen, none.newests, 'and $5::int > 0')}) next
       union all
       select ${state(last)} from steps last, lateral (
         ${step(last.seen, last.newests, `and next.id ${direction === 'asc' ? '>' : '<'} last.id`)}) next
       where last.found < $5
     )
     select id, key from steps where id = newest_id order by id ${direction}`,
  )
}
const down = walk('desc')
const up = walk('asc')

// $1 whose they are, $2 newest ids, $3 keys or null, $4 and $5 where the page begins and ends
const describe = statement<NotificationGroupRow>(
  `select coalesce(wanted.key, '${UNGROUPED}' || wanted.id) as key, wanted.id as "newestId",
     case when wanted.key is null then 1 else (select count(*)::int from (
       select from notifications n where n.account_id = $1 and n.group_key = wanted.key
         and n.filtered = newest.filtered limit ${MAX_COUNT}) n) end as count,
     case when wanted.key is null then array[newest.from_account_id] else array(
       select n.from_account_id from notifications n join accounts a on a.id = n.from_account_id
       where n.account_id = $1 and n.group_key = wanted.key and n.id <= wanted.id and n.filtered = newest.filtered
         and a.suspended_at is null order by n.id desc limit ${SAMPLES}) end as "sampleAccountIds",
     case when wanted.key is null then wanted.id else (
       select n.id from notifications n where n.account_id = $1 and n.group_key = wanted.key and n.id >= $4
       order by n.id limit 1) end as "pageMinId",
     wanted.id as "pageMaxId", newest.created_at as "latestAt"
   from unnest($2::bigint[], $3::text[]) with ordinality as wanted (id, key, place)
     join notifications newest on newest.id = wanted.id
   order by wanted.place`,
)

export interface GroupedChoice extends NotificationChoice {
  /** Only these are grouped; null = all that can be. */
  groupedKinds?: readonly string[] | null
}

interface Stand {
  id: string
  key: string | null
}

async function walkGroups(
  read: Read,
  { accountId, page, groupedKinds = null, ...choice }: { accountId: string; page: Page } & GroupedChoice,
): Promise<Stand[]> {
  const values = [accountId, ...pageValues(page), ...choiceValues(choice), groupedKinds]
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
  return describe(read.db, [accountId, ids, keys, oldest.id])
}

const findByKey = statement<{ id: string }>(
  `select n.id from notifications n where n.group_key = $2 and ${isShown('n')} order by n.id desc limit 1`,
)
const findById = statement<{ id: string }>(`select n.id from notifications n where n.id = $2 and ${isShown('n')}`)

/** One group of somebody's notifications, by its key. @throws NotFound also for what is hidden by now */
export async function findGroup(
  read: Read,
  { accountId, key }: { accountId: string; key: string },
): Promise<NotificationGroupRow> {
  const alone = idOf(key)
  const [row] =
    alone === null ? await findByKey(read.db, [accountId, key]) : await findById(read.db, [accountId, alone])
  if (!row) throw new NotFound()
  const stand = { id: row.id, key: alone === null ? key : null }
  const [group] = await describeGroups(read, { accountId, stands: [stand] })
  if (!group) throw new NotFound()
  return group
}

const causers = pageClause('n.id', 4)
const selectCausers = (order: string) =>
  statement<{ id: string; account_id: string }>(
    `select n.id, n.from_account_id as account_id from notifications n
     where ${isShown('n')} and ($3::bigint is null and n.group_key = $2 or n.id = $3) and ${causers.where} ${order}`,
  )
const newestCausers = selectCausers(causers.descending)
const olderCausers = selectCausers(causers.ascending)

/** Who caused a group, latest first; `id`: of the notification, by which the list is paged. */
export async function readCausers(
  read: Read,
  { accountId, key, page }: { accountId: string; key: string; page: Page },
): Promise<{ id: string; account_id: string }[]> {
  const values = [accountId, key, idOf(key), ...pageValues(page)]
  return readPaged(page, {
    descending: () => newestCausers(read.db, values),
    ascending: () => olderCausers(read.db, values),
  })
}

const removeGroup = statement(`delete from notifications where account_id = $1 and group_key = $2`)
const removeOne = statement(`delete from notifications where account_id = $1 and id = $2`)

/** Takes a group of somebody's notifications away; one that there is not is gone already. */
export async function dismissGroup(tx: Tx, { accountId, key }: { accountId: string; key: string }): Promise<void> {
  const alone = idOf(key)
  await (alone === null ? removeGroup(tx.db, [accountId, key]) : removeOne(tx.db, [accountId, alone]))
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
