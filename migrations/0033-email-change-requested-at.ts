import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * When a user asked for another e-mail address. Sending the confirmation again moves `confirmation_sent_at`, so that
 * column can't say how old the request is. Null: the previous version wrote the request, and `confirmation_sent_at` counts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column email_change_requested_at timestamptz`.execute(db)
}
