import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * Uploads that are worked on after the answer. While one is in `processing`, its `file_key` is where the upload itself
 * lies; one that `failed` has none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table media_attachments
      add column state text not null default 'ready' check (state in ('processing', 'ready', 'failed'))`.execute(db)
}
