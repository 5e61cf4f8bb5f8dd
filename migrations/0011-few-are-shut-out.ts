import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * Every page asks whether an author is suspended or silenced. Few are: an index of those alone answers at once, where
 * the planner would otherwise read all accounts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index accounts_suspended on accounts (id) where suspended_at is not null`.execute(db)
  await sql`create index accounts_silenced on accounts (id) where silenced_at is not null`.execute(db)
}
