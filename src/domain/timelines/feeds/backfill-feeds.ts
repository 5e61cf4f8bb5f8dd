import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import {
  isReplyEligible,
  isReplyEligibleInList,
  isExcludedByList,
  matchesFollowOptions,
  isNotBlockedOrMuted,
  STORED_ATTRIBUTES,
  STATUSES_WITH_ATTRIBUTES,
} from '../../access/feed-eligibility.ts'
import { FEED_LENGTH } from './entry-position.ts'

/**
 * The maximum number of statuses of all authors, newest first, that a backfill examines. It is several times the length
 * of a feed, because not all of them are eligible.
 */
export const MAX_CANDIDATES = 5 * FEED_LENGTH

/**
 * SQL for the newest statuses of each author, cut to the newest of all authors. `authors`: a table with `author_id`.
 */
const recentStatuses = (authors: string, limit: string) => `
  select a.*, newest.id as status_id from ${authors} a, lateral (
    select s.id from statuses s where s.account_id = a.author_id and s.deleted_at is null
    order by s.id desc limit ${limit}) newest
  order by newest.id desc limit ${MAX_CANDIDATES}`

/**
 * SQL condition: the status or reblog is the first occurrence of its original, and the feed does not have the original
 * yet. Always true for users who do not aggregate reblogs.
 */
const isFirstOccurrence = (
  table: string,
  key: string,
  feed: string,
) => `(not eligible.aggregate_reblogs or (eligible.occurrence = 1
  and not exists (select from ${table} e where e.${key} = ${feed} and e.original_id = eligible.original_id)))`

// Without $accountIds: the statuses of all followed accounts, and the account's own. With it, the follows are looked up
// one by one: a user may follow thousands of others. The statement locks the statuses, so that no entry remains when one
// of them is deleted.
const backfillHome = statement<{
  params: { accountId: string; accountIds: readonly string[] | null; limitPerAccount: number }
}>(
  `with reader as (
     select account_id, aggregate_reblogs from users where account_id = $accountId and feed_state <> 'pruned'
   ), authors as (
     select f.author_id, f.show_reblogs, f.languages, reader.aggregate_reblogs
     from reader cross join lateral (
       select named.id as author_id, f.show_reblogs, f.languages
       from unnest($accountIds::bigint[]) named (id) cross join lateral (
         select f.show_reblogs, f.languages from follows f
         where f.account_id = $accountId and f.target_account_id = named.id offset 0) f
       union all
       select f.target_account_id, f.show_reblogs, f.languages from follows f
       where f.account_id = $accountId and $accountIds::bigint[] is null
     ) f
     where not ${isExcludedByList('$accountId', 'f.author_id')}
     union all select account_id, true, null, aggregate_reblogs from reader where $accountIds::bigint[] is null
   ), candidates as materialized (${recentStatuses('authors', '$limitPerAccount::integer')}
   ), eligible as (
     select s.id, coalesce(s.reblog_of_id, s.id) as original_id, c.aggregate_reblogs,
       row_number() over (partition by coalesce(s.reblog_of_id, s.id) order by s.id) as occurrence
     from candidates c, ${STATUSES_WITH_ATTRIBUTES}
     where s.id = c.status_id and (s.account_id = $accountId
       or (${matchesFollowOptions('c', STORED_ATTRIBUTES)} and ${isReplyEligible('$accountId', STORED_ATTRIBUTES)} and ${isNotBlockedOrMuted('$accountId', STORED_ATTRIBUTES)}))
   ), locked as (
     select s.id, eligible.original_id from eligible join statuses s on s.id = eligible.id
     where ${isFirstOccurrence('feed_entries', 'account_id', '$accountId')}
       order by s.id desc limit ${FEED_LENGTH} for key share of s
   )
   insert into feed_entries (account_id, status_id, original_id)
   select $accountId, id, original_id from locked order by id on conflict do nothing`,
)

// Without $accountIds: the statuses of all list members. Without $listId: all lists of the account.
const backfillLists = statement<{
  params: { accountId: string; accountIds: readonly string[] | null; limitPerAccount: number; listId: string | null }
}>(
  `insert into list_entries (list_id, status_id, original_id)
   select l.id, locked.id, locked.original_id
   from users u join lists l on l.account_id = u.account_id, lateral (
     with authors as (
       select member.account_id as author_id, f.show_reblogs, f.languages
       from (
         select la.account_id, la.follow_id from unnest($accountIds::bigint[]) named (id) cross join lateral (
           select la.account_id, la.follow_id from list_accounts la
           where la.list_id = l.id and la.account_id = named.id offset 0) la
         union all
         select la.account_id, la.follow_id from list_accounts la
         where la.list_id = l.id and $accountIds::bigint[] is null
       ) member left join lateral (
         select f.id, f.show_reblogs, f.languages from follows f where f.id = member.follow_id offset 0) f on true
       where f.id is not null or member.account_id = l.account_id
     ), candidates as materialized (${recentStatuses('authors', '$limitPerAccount::integer')}
     ), eligible as (
       select s.id, coalesce(s.reblog_of_id, s.id) as original_id, u.aggregate_reblogs,
         row_number() over (partition by coalesce(s.reblog_of_id, s.id) order by s.id) as occurrence
       from candidates c, ${STATUSES_WITH_ATTRIBUTES}
       where s.id = c.status_id and s.visibility <> 'direct'
         and (s.account_id = l.account_id or (${matchesFollowOptions('c', STORED_ATTRIBUTES)} and ${isNotBlockedOrMuted('l.account_id', STORED_ATTRIBUTES)}))
         and ${isReplyEligibleInList('l', STORED_ATTRIBUTES)}
     )
     select s.id, eligible.original_id from eligible join statuses s on s.id = eligible.id
     where ${isFirstOccurrence('list_entries', 'list_id', 'l.id')} order by s.id desc limit ${FEED_LENGTH} for key share of s
   ) locked
   where u.account_id = $accountId and u.feed_state <> 'pruned' and ($listId::bigint is null or l.id = $listId)
   order by l.id, locked.id on conflict do nothing`,
)

interface Backfill {
  /** The owner of the feeds. */
  accountId: string
  /** The authors of the statuses; undefined: all followed accounts or list members. */
  authorIds?: readonly string[]
  /** The maximum number of statuses of each author, newest first. */
  perAuthor: number
}

/** Adds the eligible statuses that are missing from a user's home feed. */
export async function backfillHomeFeed(tx: Tx, { accountId, authorIds, perAuthor }: Backfill): Promise<void> {
  await backfillHome(tx.db, { accountId, accountIds: authorIds ?? null, limitPerAccount: perAuthor })
}

/** Adds the eligible statuses that are missing from the feeds of a user's lists, or of one of them. */
export async function backfillListFeeds(
  tx: Tx,
  { accountId, authorIds, perAuthor, listId }: Backfill & { listId?: string },
): Promise<void> {
  await backfillLists(tx.db, {
    accountId,
    accountIds: authorIds ?? null,
    limitPerAccount: perAuthor,
    listId: listId ?? null,
  })
}
