import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What lies on other servers and is kept here for its readers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cached_files (
      id bigint generated always as identity primary key,
      -- what shows it: one of these, or none once that is gone; then the files go, too
      media_id bigint references media_attachments on delete set null,
      account_id bigint references accounts on delete set null,
      emoji_id bigint references custom_emojis on delete set null,
      rendition text not null check (rendition in ('original', 'small', 'avatar', 'header', 'emoji')),
      -- from where it came; what shows another address by now is asked for anew
      remote_url text not null,
      -- null: it could not be had, as 'status' says, and is not asked for again before 'retry_at'
      file_key text,
      -- of what moves, a picture that stands still
      static_key text,
      byte_size bigint not null default 0,
      fetched_at timestamptz not null,
      -- about when it was last shown
      used_at timestamptz not null,
      status smallint,
      failures smallint not null default 0,
      retry_at timestamptz,
      check (num_nonnulls(media_id, account_id, emoji_id) <= 1),
      check ((file_key is null) = (retry_at is not null) and (file_key is null) = (status is not null))
    )`.execute(db)
  await sql`create unique index cached_files_media on cached_files (media_id, rendition) where media_id is not null`.execute(
    db,
  )
  await sql`create unique index cached_files_account on cached_files (account_id, rendition) where account_id is not null`.execute(
    db,
  )
  await sql`create unique index cached_files_emoji on cached_files (emoji_id, rendition) where emoji_id is not null`.execute(
    db,
  )
  await sql`create index cached_files_used on cached_files (used_at, id) where file_key is not null`.execute(db)
  await sql`create index cached_files_failed on cached_files (retry_at) where retry_at is not null`.execute(db)
  await sql`create index cached_files_forsaken on cached_files (id) where num_nonnulls(media_id, account_id, emoji_id) = 0`.execute(
    db,
  )

  // Ids can be guessed, and so could where the files of private posts are found.
  await sql`alter table media_attachments add column proxy_key uuid not null default gen_random_uuid()`.execute(db)
}
