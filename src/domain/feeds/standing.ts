import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** Newest entries that a feed keeps. */
export const FEED_LENGTH = 800

/** A second boost of what stands among this many newest entries is left out. */
const BOOST_WINDOW = 40

/** When more feeds hold something already, each reader's newest entries are looked at instead. */
const MANY = 5_000

/** The feeds of one kind: where their entries are, and whose they are. */
export interface FeedKind {
  table: 'feed_entries' | 'list_entries'
  key: 'account_id' | 'list_id'
  /** Joins the person `u` to an entry `e`. */
  reader: string
}

export const HOME: FeedKind = {
  table: 'feed_entries',
  key: 'account_id',
  reader: 'join users u on u.account_id = e.account_id',
}
export const LIST: FeedKind = {
  table: 'list_entries',
  key: 'list_id',
  reader: 'join lists l on l.id = e.list_id join users u on u.account_id = l.account_id',
}

/**
 * Whether `original` stands among the newest entries of a feed, other than by the boost itself, and the person `u` wants
 * it there only once.
 */
export function standsIn(
  { table, key }: FeedKind,
  { feed, original, boost }: { feed: string; original: string; boost: string },
): string {
  return `(u.aggregate_reblogs and exists (
    select from (select e.original_id, e.status_id from ${table} e where e.${key} = ${feed}
      order by e.status_id desc limit ${BOOST_WINDOW}) recent where recent.original_id = ${original} and recent.status_id <> ${boost}))`
}

// The entries of a status and of its boosts are found by these, so feeds that have none of them cost nothing. The order is
// that of the index, which the planner would otherwise leave for a look through everything.
const findIn = ({ table, key, reader }: FeedKind) =>
  statement<{ params: { originalId: string; boostId: string }; row: { many: boolean; ids: string[] } }>(
    `with standing as materialized (
       select e.${key}, e.status_id from (
         select $originalId::bigint as id union all select b.id from statuses b where b.reblog_of_id = $originalId
           and b.id <> $boostId and b.deleted_at is null
       ) known, lateral (
         select e.${key}, e.status_id from ${table} e where e.status_id = known.id
         order by e.status_id, e.${key} limit ${MANY + 1}) e
       limit ${MANY + 1}
     ), size as (select count(*) > ${MANY} as many from standing)
     select size.many, array(
       select distinct e.${key} from standing e ${reader}
       where not size.many and u.aggregate_reblogs and ${BOOST_WINDOW} > (select count(*) from (
         select from ${table} newer where newer.${key} = e.${key} and newer.status_id > e.status_id
         limit ${BOOST_WINDOW}) newer)) as ids
     from size`,
  )
const find = { feed_entries: findIn(HOME), list_entries: findIn(LIST) }

/** The feeds where a boost would repeat a status; null when they are too many to name. */
export async function findStanding(
  read: Pick<Read, 'db'>,
  { kind, originalId, boostId }: { kind: FeedKind; originalId: string; boostId: string },
): Promise<string[] | null> {
  const [row] = await find[kind.table](read.db, { originalId, boostId })
  return row && !row.many ? row.ids : null
}
