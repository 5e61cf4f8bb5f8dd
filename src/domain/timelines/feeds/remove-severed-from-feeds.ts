import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { FEED_LENGTH } from './entry-position.ts'

/** Ended follows: the n-th of `accountIds` followed the n-th of `targetAccountIds`. */
interface EndedFollows {
  accountIds: readonly string[]
  targetAccountIds: readonly string[]
}

/** Above this number of statuses of an author since the oldest entry of a feed, the feed is read instead of them. */
const MAX_STATUSES = FEED_LENGTH

/**
 * Returns a statement that deletes the entries of all statuses by an author from a feed. `removals`: SQL for rows with a
 * feed and an `author_id`. For each, it reads the statuses of the author or the entries of the feed, whichever are few.
 */
const deletingEntries = ({ table, feed, removals }: { table: string; feed: string; removals: string }) =>
  `with pair as (
     select * from unnest($accountIds::bigint[], $targetAccountIds::bigint[]) ended (account_id, author_id)
   ), removal as materialized (
     select r.feed_id, r.author_id, array(
       select s.id from statuses s
       where s.account_id = r.author_id and s.deleted_at is null
         and s.id >= (select min(e.status_id) from ${table} e where e.${feed} = r.feed_id)
       order by s.id desc limit ${MAX_STATUSES} + 1) as status_ids
     from (${removals}) r
   ), found as (
     select r.feed_id, id as status_id from removal r, unnest(r.status_ids) id
     where cardinality(r.status_ids) <= ${MAX_STATUSES}
     union all
     select r.feed_id, e.status_id from removal r
       join ${table} e on e.${feed} = r.feed_id join statuses s on s.id = e.status_id and s.account_id = r.author_id
     where cardinality(r.status_ids) > ${MAX_STATUSES}
   )
   delete from ${table} e using found where e.${feed} = found.feed_id and e.status_id = found.status_id`

// The present follows and members decide, as in `remove-entries.ts`.
const removeFromHome = statement<{ params: EndedFollows }>(
  deletingEntries({
    table: 'feed_entries',
    feed: 'account_id',
    removals: `select pair.account_id as feed_id, pair.author_id from pair
      where not exists (select from follows f
        where f.account_id = pair.account_id and f.target_account_id = pair.author_id)`,
  }),
)
const removeFromLists = statement<{ params: EndedFollows }>(
  deletingEntries({
    table: 'list_entries',
    feed: 'list_id',
    removals: `select l.id as feed_id, pair.author_id from pair join lists l on l.account_id = pair.account_id
      where not exists (select from list_accounts la
        where la.list_id = l.id and la.account_id = pair.author_id and la.follow_id is not null)`,
  }),
)

// Serialises changes to the feeds of users, as in `merge-into-feeds.ts`; in the order in which `recordActivity` locks.
const lockUsers = statement<{ params: { accountIds: readonly string[] } }>(
  `select from users where account_id = any($accountIds::bigint[]) order by id for no key update`,
)

/**
 * Effect: removes the statuses of accounts from the feeds of the users whose follows of them ended, in one step for all
 * of these follows.
 */
export async function removeSeveredFromFeeds(
  ctx: Ctx,
  { accountIds, targetAccountIds }: { accountIds: readonly string[]; targetAccountIds: readonly string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    await lockUsers(tx.db, { accountIds })
    await removeFromHome(tx.db, { accountIds, targetAccountIds })
    await removeFromLists(tx.db, { accountIds, targetAccountIds })
  })
}
