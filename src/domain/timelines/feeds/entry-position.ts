import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'

/** The number of newest entries that a feed retains. */
export const FEED_LENGTH = 800

/** A reblog is left out if its original is among this many newest entries of the feed. */
const REBLOG_WINDOW = 40

/**
 * If more feeds contain the originals of reblogs, the fan-out checks the newest entries of each feed instead of listing
 * the feeds.
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

/** Returns an SQL condition: the status is newer than all entries of the feed that are pruned. */
export function isWithinFeedLength(
  { table, key }: FeedKind,
  { feed, status }: { feed: string; status: string },
): string {
  return `(${FEED_LENGTH} > (select count(*) from (
    select from ${table} newer where newer.${key} = ${feed} and newer.status_id > ${status} limit ${FEED_LENGTH}) newer))`
}

// Finds entries by the ids of the original and of its reblogs, so feeds without them cost nothing. The `order by` is
// that of the index, because the planner would otherwise scan the whole table.
const findContainingStatement = ({ table, key, reader }: FeedKind) =>
  statement<{
    params: { reblogIds: readonly string[]; originalIds: readonly string[]; limit: number }
    row: { reblog_id: string; many: boolean; feed_ids: string[] }
  }>(
    `with containing as materialized (
       select reblog.id as reblog_id, found.${key}, found.status_id
       from unnest($reblogIds::bigint[], $originalIds::bigint[]) reblog (id, original_id), lateral (
         select e.${key}, e.status_id from (
           select reblog.original_id as id union all select b.id from statuses b where b.reblog_of_id = reblog.original_id
             and b.id <> reblog.id and b.deleted_at is null
         ) known, lateral (
           select e.${key}, e.status_id from ${table} e where e.status_id = known.id
           order by e.status_id, e.${key} limit $limit + 1) e
         limit $limit + 1) found
     ), size as (select reblog_id, count(*) > $limit as many from containing group by reblog_id)
     select size.reblog_id, size.many, coalesce(listed.feed_ids, '{}') as feed_ids
     from size left join (
       select e.reblog_id, array_agg(distinct e.${key}) as feed_ids
       from containing e join size on size.reblog_id = e.reblog_id ${reader}
       where not size.many and u.aggregate_reblogs and ${REBLOG_WINDOW} > (select count(*) from (
         select from ${table} newer where newer.${key} = e.${key} and newer.status_id > e.status_id
         limit ${REBLOG_WINDOW}) newer)
       group by e.reblog_id
     ) listed on listed.reblog_id = size.reblog_id`,
  )
const findContaining = {
  feed_entries: findContainingStatement(HOME_FEED),
  list_entries: findContainingStatement(LIST_FEED),
}

/**
 * Returns the feeds in which reblogs would repeat their originals, and the ids of the reblogs that would do so in too
 * many feeds to list them.
 */
export async function findFeedsContaining(
  read: Pick<Read, 'db'>,
  { kind, reblogs }: { kind: FeedKind; reblogs: readonly { id: string; originalId: string }[] },
): Promise<{ feeds: { reblogId: string; feedId: string }[]; tooMany: ReadonlySet<string> }> {
  if (reblogs.length === 0) return { feeds: [], tooMany: new Set() }
  const rows = await findContaining[kind.table](read.db, {
    reblogIds: reblogs.map(({ id }) => id),
    originalIds: reblogs.map(({ originalId }) => originalId),
    limit: Math.ceil(MAX_LISTED_FEEDS / reblogs.length),
  })
  return {
    feeds: rows.flatMap(({ reblog_id: reblogId, feed_ids: ids }) => ids.map((feedId) => ({ reblogId, feedId }))),
    tooMany: new Set(rows.flatMap(({ reblog_id: id, many }) => (many ? [id] : []))),
  }
}
