import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { unwantedBy } from '../relationships/unwanted.ts'
import { findAccount } from './find.ts'
import { recommendableAccount } from './recommendable.ts'

/** Why somebody is suggested. */
export type SuggestionSource =
  | 'friends_of_friends'
  | 'similar_to_recently_followed'
  | 'most_interactions'
  | 'most_followed'

export interface Suggested {
  id: string
  sources: SuggestionSource[]
}

// How far each source looks, so that a page costs the same however many people there are.
const FRIENDS = 100
const FRIENDS_OF_EACH = 200
const RECENT = 5
const FOLLOWERS_OF_EACH = 40
const FOLLOWS_OF_EACH = 50
const LATEST_FAVOURITES = 2_000
const MOST_FOLLOWED = 2_000
/** Of each source, those who come first. Some of them may still be left out. */
const CANDIDATES = 300

/** Who can't be suggested since the viewer decided about them already. */
const DECIDED = `select target_account_id from follows where account_id = $viewerId
  union all select target_account_id from follow_requests where account_id = $viewerId
  union all select target_account_id from suggestion_dismissals where account_id = $viewerId
  union all select $viewerId::bigint`

// Accounts that hide their network are not evidence. The offsets keep the planner from walking
// through everybody's follows or statuses for those of a few.
const find = statement<{ params: { viewerId: string; limit: number; offset: number }; row: Suggested }>(
  `with decided as materialized (${DECIDED}),
   friends as materialized (
     select f.target_account_id as id from (select * from follows where account_id = $viewerId offset 0) f
     order by f.id desc limit ${FRIENDS}
   ),
   friends_of_friends as (
     select theirs.id, count(*) as score
     from friends m join accounts friend on friend.id = m.id
       cross join lateral (
         select f.target_account_id as id from follows f where f.account_id = friend.id limit ${FRIENDS_OF_EACH}) theirs
     where friend.hide_collections is not true and friend.suspended_at is null
       and theirs.id not in (select * from decided)
     group by theirs.id order by score desc, theirs.id desc limit ${CANDIDATES}
   ),
   alike as (
     select theirs.id, count(*) as score
     from (select id from friends limit ${RECENT}) recent
       cross join lateral (
         select f.account_id as id from follows f
         where f.target_account_id = recent.id and f.account_id <> $viewerId
           order by f.id desc limit ${FOLLOWERS_OF_EACH}) fan
       join accounts witness on witness.id = fan.id
       cross join lateral (
         select f.target_account_id as id from follows f where f.account_id = witness.id limit ${FOLLOWS_OF_EACH}) theirs
     where witness.hide_collections is not true and witness.suspended_at is null
       and theirs.id not in (select * from decided)
     group by theirs.id having count(*) > 1 order by score desc, theirs.id desc limit ${CANDIDATES}
   ),
   interactions as (
     select s.account_id as id, count(distinct f.account_id) as score
     from (select status_id, account_id from favourites order by id desc limit ${LATEST_FAVOURITES}) f
       cross join lateral (
         select account_id from statuses where id = f.status_id and visibility = 'public' and not local_only offset 0) s
     where s.account_id <> f.account_id and s.account_id not in (select * from decided)
     group by s.account_id order by score desc, s.account_id desc limit ${CANDIDATES}
   ),
   popular as (
     select top.account_id as id, top.followers_count as score
     from (select account_id, followers_count from account_stats where followers_count > 0
       order by followers_count desc, account_id desc limit ${MOST_FOLLOWED}) top
     where top.account_id not in (select * from decided)
   ),
   found as (
     select id, score, 1 as place, 'friends_of_friends' as source from friends_of_friends
     union all select id, score, 2, 'similar_to_recently_followed' from alike
     union all select id, score, 3, 'most_interactions' from interactions
     union all select id, score, 4, 'most_followed' from popular
   ),
   candidate as materialized (
     select id, array_agg(source order by place) as sources, min(place) as place,
       (array_agg(score order by place))[1] as score
     from found group by id
   )
   select a.id, c.sources
   from candidate c join accounts a on a.id = c.id left join users u on u.account_id = a.id
   where ${recommendableAccount()} and not ${unwantedBy('$viewerId')}
   order by c.place, c.score desc, a.id desc limit $limit::int offset $offset::int`,
)

/**
 * People whom somebody might like to follow: whom those follow whom they follow; whom those follow who follow whom they
 * followed last; whose posts are favourited most at the moment; and who are followed most. Only people who want to be
 * found, and nobody whom the viewer follows, asked to follow, waved aside, blocks or mutes.
 */
export async function readSuggestions(
  read: Read,
  { viewerId, limit, offset }: { viewerId: string; limit: number; offset: number },
): Promise<Suggested[]> {
  return limit === 0 ? [] : find(read.db, { viewerId, limit, offset })
}

const dismiss = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `insert into suggestion_dismissals (account_id, target_account_id) values ($accountId, $targetAccountId)
    on conflict do nothing`,
)

/** Waves a suggestion aside for ever. @throws NotFound */
export async function dismissSuggestion(
  tx: Tx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await dismiss(tx.db, { accountId, targetAccountId })
}
