import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Statuses with what hangs on them, and the generator of their ids. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Ids are milliseconds << 16 | sequence. A sequence outlives transactions and is shared by all processes; the
  // advisory lock, held for microseconds, makes "one more than the last, or the present moment" one step. So ids rise
  // also when the clock steps back, and the 65,537th of a millisecond carries into the next.
  await sql`create sequence status_ids`.execute(db)
  await sql`
    create function next_status_id(at_ms bigint default (extract(epoch from clock_timestamp()) * 1000)::bigint)
    returns bigint language plpgsql volatile as $$
    declare
      id bigint;
    begin
      perform pg_advisory_lock(4711002);
      select greatest(last_value + 1, at_ms << 16) into id from status_ids;
      perform setval('status_ids', id);
      perform pg_advisory_unlock(4711002);
      return id;
    end $$`.execute(db)

  await sql`
    create table conversations (
      id bigint generated always as identity primary key,
      created_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    create table statuses (
      id bigint primary key default next_status_id(),
      account_id bigint not null references accounts on delete cascade,
      uri text not null unique,
      url text not null,
      -- as typed (local) and as shown (HTML)
      text text not null default '',
      content text not null default '',
      spoiler_text text not null default '',
      visibility text not null check (visibility in ('public', 'unlisted', 'private', 'direct')),
      sensitive boolean not null default false,
      language text,
      in_reply_to_id bigint references statuses on delete set null,
      in_reply_to_account_id bigint references accounts on delete set null,
      reblog_of_id bigint references statuses on delete cascade,
      conversation_id bigint references conversations,
      application_id bigint references applications on delete set null,
      local boolean not null default true,
      local_only boolean not null default false,
      -- rises with every change that a rendering shows
      version integer not null default 1,
      created_at timestamptz not null default now(),
      edited_at timestamptz,
      deleted_at timestamptz
    )`.execute(db)
  await sql`create index statuses_account on statuses (account_id, id desc) where deleted_at is null`.execute(db)
  await sql`
    create index statuses_public on statuses (id desc)
    where visibility = 'public' and reblog_of_id is null and deleted_at is null
      and (in_reply_to_id is null or in_reply_to_account_id = account_id)`.execute(db)
  await sql`
    create index statuses_public_local on statuses (id desc)
    where local and visibility = 'public' and reblog_of_id is null and deleted_at is null
      and (in_reply_to_id is null or in_reply_to_account_id = account_id)`.execute(db)
  await sql`create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null`.execute(db)
  // For who removes what was boosted: also boosts that are gone hang on it.
  await sql`create index statuses_boosts on statuses (reblog_of_id) where reblog_of_id is not null`.execute(db)
  await sql`
    create unique index statuses_one_boost on statuses (reblog_of_id, account_id)
    where reblog_of_id is not null and deleted_at is null`.execute(db)
  await sql`create index statuses_in_reply_to_account on statuses (in_reply_to_account_id) where in_reply_to_account_id is not null`.execute(
    db,
  )

  await sql`
    create table status_stats (
      status_id bigint primary key references statuses on delete cascade,
      replies_count integer not null default 0 check (replies_count >= 0),
      reblogs_count integer not null default 0 check (reblogs_count >= 0),
      favourites_count integer not null default 0 check (favourites_count >= 0)
    ) with (fillfactor = 70)`.execute(db)

  await sql`
    create table mentions (
      id bigint generated always as identity primary key,
      status_id bigint not null references statuses on delete cascade,
      account_id bigint not null references accounts on delete cascade,
      -- may read it, but is neither shown nor notified
      silent boolean not null default false,
      unique (status_id, account_id)
    )`.execute(db)
  await sql`create index mentions_account on mentions (account_id, status_id desc)`.execute(db)

  await sql`
    create table tags (
      id bigint generated always as identity primary key,
      name text not null unique,
      display_name text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table status_tags (
      status_id bigint not null references statuses on delete cascade,
      tag_id bigint not null references tags on delete cascade,
      primary key (tag_id, status_id)
    )`.execute(db)
  await sql`create index status_tags_status on status_tags (status_id)`.execute(db)

  await sql`
    create table media_attachments (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      status_id bigint references statuses on delete set null,
      position smallint not null default 0,
      type text not null,
      -- where the files lie; 128 random bits each, so an address tells nothing and can't be guessed
      file_key text not null,
      preview_key text not null,
      content_type text not null,
      byte_size bigint not null,
      meta jsonb not null,
      blurhash text,
      description text,
      created_at timestamptz not null default now(),
      -- since when no status has it; after a day it is removed
      detached_at timestamptz default now()
    )`.execute(db)
  await sql`create index media_attachments_status on media_attachments (status_id) where status_id is not null`.execute(
    db,
  )
  await sql`create index media_attachments_account on media_attachments (account_id, status_id)`.execute(db)
  await sql`create index media_attachments_unattached on media_attachments (detached_at) where status_id is null`.execute(
    db,
  )

  await sql`
    create table favourites (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      status_id bigint not null references statuses on delete cascade,
      created_at timestamptz not null default now(),
      unique (status_id, account_id)
    )`.execute(db)
  await sql`create index favourites_account on favourites (account_id, id desc)`.execute(db)

  // A retried request finds what the first one made.
  await sql`
    create table idempotency_keys (
      account_id bigint not null references accounts on delete cascade,
      key text not null,
      status_id bigint not null references statuses on delete cascade,
      created_at timestamptz not null default now(),
      primary key (account_id, key)
    )`.execute(db)
  await sql`create index idempotency_keys_age on idempotency_keys (created_at)`.execute(db)
  await sql`create index idempotency_keys_status on idempotency_keys (status_id)`.execute(db)
}
