import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** The words of statuses, by which they are searched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table status_words (
      status_id bigint primary key references statuses on delete cascade,
      -- that of the status when it was read
      version integer not null,
      -- stems of words and pieces of writing without blanks, each with its places; and, behind a sign that no word has,
      -- who wrote it, what it is, and stretches of time
      words tsvector not null
    )`.execute(db)
  // Without a list of what is still to be entered, which each search would have to read.
  await sql`create index status_words_words on status_words using gin (words) with (fastupdate = off)`.execute(db)

  // What people kept, by the age of what they kept.
  await sql`create index favourites_by_status on favourites (account_id, status_id desc)`.execute(db)
  await sql`create index bookmarks_by_status on bookmarks (account_id, status_id desc)`.execute(db)
  await sql`
    create index statuses_boosted on statuses (account_id, reblog_of_id desc)
    where reblog_of_id is not null and deleted_at is null`.execute(db)
  await sql`drop index poll_votes_account`.execute(db)
  await sql`create index poll_votes_account on poll_votes (account_id, poll_id desc)`.execute(db)

  // What is there already is entered by and by, from the newest on.
  await sql`
    insert into settings (name, value)
    select 'search:backlog', to_jsonb('9223372036854775807'::text) where exists (select from statuses)`.execute(db)
}
