import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'

/** The number of newest entries that a feed retains. */
export const FEED_LENGTH = 800

/** A reblog is left out if its original is among this many newest entries of the feed. */
const REBLOG_WINDOW = 40

/**
 * If more feeds contain the original, the fan-out checks the newest entries of each feed instead of listing the feeds.
 */
const MAX_LISTED_FEEDS = 5_000

/** A kind of feed: the table of its entries, and the column that identifies the feed. */
export interface FeedKind {
  table: 'feed_entries' | 'list_entries'
  key: 'account_id' | 'list_id'
  /** SQL that joins the owner `u` of `users` to an entry `e`. */
  reader: string
}

export const HOME_FEED: FeedKind = {
  table: 'feed_entries',
  key: 'account_id',
  reader: 'join users u on u.account_id = e.account_id',
}
export const LIST_FEED: FeedKind = {
  table: 'list_entries',
  key: 'list_id',
  reader: 'join lists l on l.id = e.list_id join users u on u.account_id = l.account_id',
}

/**
 * Returns an SQL condition: `original` is among the newest entries of the feed by another entry than the reblog, and
 * the user `u` aggregates reblogs.
 */
export function isAmongNewestEntries(
  { table, key }: FeedKind,
  { feed, original, reblog }: { feed: string; original: string; reblog: string },
): string {
  return `(u.aggregate_reblogs and exists (
    select from (select e.original_id, e.status_id from ${table} e where e.${key} = ${feed}
      order by e.status_id desc limit ${REBLOG_WINDOW}) recent where recent.original_id = ${original} and recent.status_id <> ${reblog}))`
}

// Finds entries by the ids of the original and of its reblogs, so feeds without them cost nothing. The `order by` is
// that of the index, because the planner would otherwise scan the whole table.
const findContainingStatement = ({ table, key, reader }: FeedKind) =>
  statement<{ params: { originalId: string; reblogId: string }; row: { many: boolean; ids: string[] } }>(
    `with containing as materialized (
       select e.${key}, e.status_id from (
         select $originalId::bigint as id union all select b.id from statuses b where b.reblog_of_id = $originalId
           and b.id <> $reblogId and b.deleted_at is null
       ) known, lateral (
         select e.${key}, e.status_id from ${table} e where e.status_id = known.id
         order by e.status_id, e.${key} limit ${MAX_LISTED_FEEDS + 1}) e
       limit ${MAX_LISTED_FEEDS + 1}
     ), size as (select count(*) > ${MAX_LISTED_FEEDS} as many from containing)
     select size.many, array(
       select distinct e.${key} from containing e ${reader}
       where not size.many and u.aggregate_reblogs and ${REBLOG_WINDOW} > (select count(*) from (
         select from ${table} newer where newer.${key} = e.${key} and newer.status_id > e.status_id
         limit ${REBLOG_WINDOW}) newer)) as ids
     from size`,
  )
const findContaining = {
  feed_entries: findContainingStatement(HOME_FEED),
  list_entries: findContainingStatement(LIST_FEED),
}

/** Returns the ids of the feeds in which a reblog would repeat a status; null if there are too many to list. */
export async function findFeedsContaining(
  read: Pick<Read, 'db'>,
  { kind, originalId, reblogId }: { kind: FeedKind; originalId: string; reblogId: string },
): Promise<string[] | null> {
  const [row] = await findContaining[kind.table](read.db, { originalId, reblogId })
  return row && !row.many ? row.ids : null
}
