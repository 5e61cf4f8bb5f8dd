import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What one takes away under an address is not another's, so that nobody keeps out what others have yet to send. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from tombstones where owner_uri is null`.execute(db)
  await sql`
    alter table tombstones alter column owner_uri set not null,
      drop constraint tombstones_pkey, add primary key (uri, owner_uri)`.execute(db)
}
