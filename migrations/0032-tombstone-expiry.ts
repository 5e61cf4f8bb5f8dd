import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Lets tombstones of other servers expire. Those of local accounts and posts stay: other servers get 410 for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tombstones add column is_local boolean not null default false`.execute(db)
  await sql`
    update tombstones set is_local = true
    where owner_uri in (select uri from accounts where domain is null union select uri from deleted_usernames)`.execute(
    db,
  )
  await sql`create index tombstones_age on tombstones (created_at) where not is_local`.execute(db)
}
