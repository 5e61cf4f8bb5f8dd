import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/**
 * The beginning of a statement that notes, beside what it does, that the users $userIds were here in this week. Once for each
 * week; who is not confirmed and approved is not here yet.
 */
export const NOTING_LOGIN = `with noted as (
    insert into weekly_people (starts_at, deed, user_id)
    select date_trunc('week', now(), 'UTC'), 'login', u.id from users u
    where u.id = any($userIds::bigint[]) and u.confirmed_at is not null and u.approved order by u.id
    on conflict do nothing)`

const login = statement<{ params: { userIds: readonly string[] } }>(`${NOTING_LOGIN} select`)
const registration = statement<{ params: { userId: string; now: Date } }>(
  `insert into weekly_people (starts_at, deed, user_id)
   select date_trunc('week', $now::timestamptz, 'UTC'), 'registration', u.id from users u
   where u.id = $userId and u.confirmed_at is not null and u.approved
   on conflict do nothing`,
)

/** Notes that somebody was here in this week. */
export async function noteLogin(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await login(tx.db, { userIds: [userId] })
}

/** Notes that somebody has joined in this week, if they have: confirmed, and approved. */
export async function noteRegistration(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await registration(tx.db, { userId, now: tx.now })
}
