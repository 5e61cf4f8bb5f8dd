import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/**
 * The `with` clause of a statement that also records the users $userIds as active in this week and on this day (UTC),
 * each once. Skips users who are not confirmed and approved.
 */
export const RECORDING_LOGIN = `with active as (
    select u.id from users u where u.id = any($userIds::bigint[]) and u.confirmed_at is not null and u.approved
  ), recorded as (
    insert into weekly_active_users (week_starts_at, activity, user_id)
    select date_trunc('week', now(), 'UTC'), 'login', id from active order by id
    on conflict do nothing
  ), recorded_day as (
    insert into user_active_days (day, user_id) select (now() at time zone 'UTC')::date, id from active order by id
    on conflict do nothing)`

const insertLogin = statement<{ params: { userIds: readonly string[] } }>(`${RECORDING_LOGIN} select`)
const insertRegistration = statement<{ params: { userId: string; now: Date } }>(
  `insert into weekly_active_users (week_starts_at, activity, user_id)
   select date_trunc('week', $now::timestamptz, 'UTC'), 'registration', u.id from users u
   where u.id = $userId and u.confirmed_at is not null and u.approved
   on conflict do nothing`,
)

/** Records a user as active in this week and on this day. */
export async function recordLogin(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await insertLogin(tx.db, { userIds: [userId] })
}

/** Counts a user as registered in this week, if the user is confirmed and approved. */
export async function recordRegistration(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await insertRegistration(tx.db, { userId, now: tx.now })
}
