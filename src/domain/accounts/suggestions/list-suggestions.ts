import { statement } from '../../../platform/db/statement.ts'
import type { CachedRead, Tx } from '../../context.ts'
import { isHiddenFromViewer } from '../../access/is-hidden-from-viewer.ts'
import { findAccount } from '../lookup/find-account.ts'
import { recommendableAccount } from '../lookup/recommendable-account.ts'
import { combineSources, generalSources, IS_SUPPRESSED, MAX_CANDIDATES, readFeatured } from './suggestion-sources.ts'
import type { SuggestionRow } from './suggestion-sources.ts'

// Further limits on the rows that each source reads.
const FRIENDS = 100
const FRIENDS_OF_EACH = 200
const RECENT = 5
const FOLLOWERS_OF_EACH = 40
const FOLLOWS_OF_EACH = 50

/** Accounts that are not suggested: followed, requested or dismissed by the viewer, and the viewer. */
const EXCLUDED_ACCOUNTS = `select target_account_id from follows where account_id = $viewerId
  union all select target_account_id from follow_requests where account_id = $viewerId
  union all select target_account_id from suggestion_dismissals where account_id = $viewerId
  union all select $viewerId::bigint`

// Accounts that hide their follows do not count as sources. `offset 0` keeps the planner from scanning all follows or
// statuses for those of a few accounts.
const selectSuggestions = statement<{
  params: { viewerId: string; featured: readonly string[]; limit: number; offset: number }
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
   ${generalSources((id) => `${id} in (select * from excluded_accounts)`)},
   ${combineSources([
     ['featured', 'featured'],
     ['friends_of_friends', 'friends_of_friends'],
     ['similar_accounts', 'similar_to_recently_followed'],
     ['interactions', 'most_interactions'],
     ['popular', 'most_followed'],
   ])}
   select a.id, c.sources
   from candidate c join accounts a on a.id = c.id left join users u on u.account_id = a.id
   where ${recommendableAccount()} and not ${IS_SUPPRESSED} and not ${isHiddenFromViewer('$viewerId')}
   order by c.priority, c.score desc, a.id desc limit $limit::int offset $offset::int`,
)

/**
 * Returns accounts that the viewer might like to follow (Mastodon: GET /api/v2/suggestions), from these sources in this
 * order: local accounts that administrators have chosen, in their order; accounts followed by accounts that the viewer
 * follows; accounts followed by other followers of the accounts that the viewer followed last; authors whose posts get
 * the most favourites at present; and the most-followed accounts. All are discoverable, and not suppressed by the staff.
 * Leaves out accounts that the viewer follows, asked to follow, dismissed, blocks or mutes.
 */
export async function listSuggestions(
  read: CachedRead,
  { viewerId, limit, offset }: { viewerId: string; limit: number; offset: number },
): Promise<SuggestionRow[]> {
  if (limit === 0) return []
  return selectSuggestions(read.db, { viewerId, featured: await readFeatured(read), limit, offset })
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
