import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What an edit takes out of a status, and by which activities people elsewhere favourite one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The history of a status still shows what an edit took out of it, so it stays the status's until that goes.
  await sql`alter table media_attachments add column withdrawn_at timestamptz`.execute(db)

  // Activities may overtake each other: a favourite lasts until each one that made it has been taken back.
  await sql`alter table favourites add column uris text[] not null default '{}'`.execute(db)

  // Only what its own server suspended, that server can restore.
  await sql`alter table accounts add column suspended_by_origin boolean not null default false`.execute(db)
}
