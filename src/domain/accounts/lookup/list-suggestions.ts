import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import { findAccount } from './find-account.ts'
import { recommendableAccount } from './recommendable-account.ts'

/** Why an account is suggested: `sources` of Mastodon's Suggestion entity. */
export type SuggestionSource =
  | 'friends_of_friends'
  | 'similar_to_recently_followed'
  | 'most_interactions'
  | 'most_followed'

export interface SuggestionRow {
  id: string
  sources: SuggestionSource[]
}

// Limits on the rows that each source reads, so that the cost of a page does not depend on the number of accounts.
const FRIENDS = 100
const FRIENDS_OF_EACH = 200
const RECENT = 5
const FOLLOWERS_OF_EACH = 40
const FOLLOWS_OF_EACH = 50
const LATEST_FAVOURITES = 2_000
const MOST_FOLLOWED = 2_000
/** How many accounts each source yields at most. The final filter may still leave out some of them. */
const MAX_CANDIDATES = 300

/** Accounts that are not suggested: followed, requested or dismissed by the viewer, and the viewer. */
const EXCLUDED_ACCOUNTS = `select target_account_id from follows where account_id = $viewerId
  union all select target_account_id from follow_requests where account_id = $viewerId
  union all select target_account_id from suggestion_dismissals where account_id = $viewerId
  union all select $viewerId::bigint`

// Accounts that hide their follows do not count as sources. `offset 0` keeps the planner from scanning all follows or
// statuses for those of a few accounts.
const selectSuggestions = statement<{
  params: { viewerId: string; limit: number; offset: number }
  row: SuggestionRow
}>(
  `with excluded_accounts as materialized (${EXCLUDED_ACCOUNTS}),
   friends as materialized (
     select f.target_account_id as id from (select * from follows where account_id = $viewerId offset 0) f
     order by f.id desc limit ${FRIENDS}
   ),
   friends_of_friends as (
     select followed.id, count(*) as score
     from friends fr join accounts friend on friend.id = fr.id
       cross join lateral (
         select f.target_account_id as id from follows f where f.account_id = friend.id limit ${FRIENDS_OF_EACH}) followed
     where friend.hide_collections is not true and friend.suspended_at is null
       and followed.id not in (select * from excluded_accounts)
     group by followed.id order by score desc, followed.id desc limit ${MAX_CANDIDATES}
   ),
   similar_accounts as (
     select followed.id, count(*) as score
     from (select id from friends limit ${RECENT}) recent
       cross join lateral (
         select f.account_id as id from follows f
         where f.target_account_id = recent.id and f.account_id <> $viewerId
           order by f.id desc limit ${FOLLOWERS_OF_EACH}) fellow
       join accounts follower on follower.id = fellow.id
       cross join lateral (
         select f.target_account_id as id from follows f where f.account_id = follower.id limit ${FOLLOWS_OF_EACH}) followed
     where follower.hide_collections is not true and follower.suspended_at is null
       and followed.id not in (select * from excluded_accounts)
     group by followed.id having count(*) > 1 order by score desc, followed.id desc limit ${MAX_CANDIDATES}
   ),
   interactions as (
     select s.account_id as id, count(distinct f.account_id) as score
     from (select status_id, account_id from favourites order by id desc limit ${LATEST_FAVOURITES}) f
       cross join lateral (
         select account_id from statuses where id = f.status_id and visibility = 'public' and not local_only offset 0) s
     where s.account_id <> f.account_id and s.account_id not in (select * from excluded_accounts)
     group by s.account_id order by score desc, s.account_id desc limit ${MAX_CANDIDATES}
   ),
   popular as (
     select top.account_id as id, top.followers_count as score
     from (select account_id, followers_count from account_stats where followers_count > 0
       order by followers_count desc, account_id desc limit ${MOST_FOLLOWED}) top
     where top.account_id not in (select * from excluded_accounts)
   ),
   found as (
     select id, score, 1 as priority, 'friends_of_friends' as source from friends_of_friends
     union all select id, score, 2, 'similar_to_recently_followed' from similar_accounts
     union all select id, score, 3, 'most_interactions' from interactions
     union all select id, score, 4, 'most_followed' from popular
   ),
   candidate as materialized (
     select id, array_agg(source order by priority) as sources, min(priority) as priority,
       (array_agg(score order by priority))[1] as score
     from found group by id
   )
   select a.id, c.sources
   from candidate c join accounts a on a.id = c.id left join users u on u.account_id = a.id
   where ${recommendableAccount()} and not ${isHiddenFromViewer('$viewerId')}
   order by c.priority, c.score desc, a.id desc limit $limit::int offset $offset::int`,
)

/**
 * Returns accounts that the viewer might like to follow (Mastodon: GET /api/v2/suggestions), from these sources in this
 * order: accounts followed by accounts that the viewer follows; accounts followed by other followers of the accounts
 * that the viewer followed last; authors whose posts get the most favourites at present; and the most-followed
 * accounts. All are discoverable. Leaves out accounts that the viewer follows, asked to follow, dismissed, blocks or
 * mutes.
 */
export async function listSuggestions(
  read: Read,
  { viewerId, limit, offset }: { viewerId: string; limit: number; offset: number },
): Promise<SuggestionRow[]> {
  return limit === 0 ? [] : selectSuggestions(read.db, { viewerId, limit, offset })
}

const dismiss = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `insert into suggestion_dismissals (account_id, target_account_id) values ($accountId, $targetAccountId)
    on conflict do nothing`,
)

/** Dismisses a suggestion for good. @throws NotFoundError */
export async function dismissSuggestion(
  tx: Tx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await dismiss(tx.db, { accountId, targetAccountId })
}
