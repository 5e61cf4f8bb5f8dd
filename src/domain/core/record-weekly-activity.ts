import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const insertRegistration = statement<{ params: { userId: string; now: Date } }>(
  `insert into weekly_active_users (week_starts_at, activity, user_id)
   select date_trunc('week', $now::timestamptz, 'UTC'), 'registration', u.id from users u
   where u.id = $userId and u.confirmed_at is not null and u.approved
   on conflict do nothing`,
)

/** Counts a user as registered in this week, if the user is confirmed and approved. */
export async function recordRegistration(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await insertRegistration(tx.db, { userId, now: tx.now })
}
