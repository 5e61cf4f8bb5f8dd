import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Who delivers to a host holds it, so that no second process opens connections of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // By the database's clock. A process that dies while it holds a host loses it soon.
  await sql`alter table hosts add column held_until timestamptz`.execute(db)
}
