import { statement } from '../../platform/db/statement.ts'
import { isActiveUser } from '../access/feed-eligibility.ts'

/**
 * Records the activity of users at this moment: as last seen, in this week and on this day (UTC). Users who are not
 * confirmed and approved do not count as active in a week or day. The feeds of a user who was inactive for long are
 * incomplete, whether or not they were pruned already, because no entries were added.
 */
export const recordActivity = statement<{
  params: { userIds: readonly string[] }
  row: { user_id: string; feeds_complete: boolean }
}>(
  `with active as (
    select u.id from users u where u.id = any($userIds::bigint[]) and u.confirmed_at is not null and u.approved
  ), recorded as (
    insert into weekly_active_users (week_starts_at, activity, user_id)
    select date_trunc('week', now(), 'UTC'), 'login', id from active order by id
    on conflict do nothing
  ), recorded_day as (
    insert into user_active_days (day, user_id) select (now() at time zone 'UTC')::date, id from active order by id
    on conflict do nothing)
  update users set last_seen_at = now(), feed_state = case when ${isActiveUser('users')} then feed_state else 'pruned' end
   where id = any(array(
     select id from users where id = any($userIds::bigint[]) order by id for update))
   returning id as user_id, feed_state = 'complete' as feeds_complete`,
)
