import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Other servers: their accounts and statuses, what came from them and what goes to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Remote accounts: where they are reached, and where their pictures lie, which are shown by reference.
  await sql`
    alter table accounts
      add column inbox_url text,
      add column shared_inbox_url text,
      add column outbox_url text,
      add column followers_url text,
      add column following_url text,
      add column featured_url text,
      add column avatar_remote_url text,
      add column header_remote_url text,
      add column also_known_as text[] not null default '{}',
      add column refreshed_at timestamptz`.execute(db)
  await sql`create index accounts_domain on accounts (domain) where domain is not null`.execute(db)
  await sql`create index accounts_followers_url on accounts (followers_url) where followers_url is not null`.execute(db)

  // Local keys have a private half, encrypted; remote ones only the public one. The instance's own has no account.
  await sql`
    create table actor_keys (
      id bigint generated always as identity primary key,
      key_id text not null unique,
      owner_uri text not null,
      account_id bigint references accounts on delete cascade,
      public_key_pem text not null,
      private_key bytea,
      fetched_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index actor_keys_owner on actor_keys (owner_uri)`.execute(db)
  await sql`create index actor_keys_account on actor_keys (account_id) where account_id is not null`.execute(db)

  // What is known of other servers. A host that fails on seven days is left alone until something comes from it.
  await sql`
    create table hosts (
      domain text primary key,
      software text,
      software_version text,
      signs_with text not null default 'cavage' check (signs_with in ('cavage', 'rfc9421')),
      failing_days date[] not null default '{}',
      unavailable_since timestamptz,
      retry_after timestamptz,
      failures_in_a_row integer not null default 0,
      last_error text,
      last_delivered_at timestamptz,
      last_heard_at timestamptz,
      created_at timestamptz not null default now()
    ) with (fillfactor = 70)`.execute(db)

  await sql`
    create table domain_blocks (
      id bigint generated always as identity primary key,
      domain text not null unique,
      severity text not null default 'silence' check (severity in ('noop', 'silence', 'suspend')),
      reject_media boolean not null default false,
      reject_reports boolean not null default false,
      public_comment text not null default '',
      private_comment text not null default '',
      obfuscate boolean not null default false,
      created_at timestamptz not null default now()
    )`.execute(db)

  // Every activity that was accepted, once: a replay meets the first one. The body goes when the work is done.
  await sql`
    create table received_activities (
      id bigint generated always as identity primary key,
      actor_uri text not null,
      activity_id text not null,
      -- whose personal inbox it came to; null for the shared one
      inbox_account_id bigint references accounts on delete set null,
      body jsonb,
      received_at timestamptz not null default now(),
      handled_at timestamptz,
      unique (actor_uri, activity_id)
    )`.execute(db)

  // What was deleted stays deleted, also when its Create comes late or again.
  await sql`
    create table tombstones (
      uri text primary key,
      owner_uri text,
      created_at timestamptz not null default now()
    )`.execute(db)

  // What is sent: the document once, and a narrow row for each inbox.
  await sql`
    create table sent_activities (
      id bigint generated always as identity primary key,
      uri text not null unique,
      -- who signs; null = the instance
      account_id bigint references accounts on delete cascade,
      status_id bigint,
      body text not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index sent_activities_status on sent_activities (status_id) where status_id is not null`.execute(db)
  await sql`create index sent_activities_age on sent_activities (created_at)`.execute(db)
  await sql`create index sent_activities_account on sent_activities (account_id) where account_id is not null`.execute(
    db,
  )
  await sql`
    create table deliveries (
      id bigint generated always as identity primary key,
      activity_id bigint not null references sent_activities on delete cascade,
      inbox_url text not null,
      domain text not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'refused', 'given_up')),
      attempts smallint not null default 0,
      last_status smallint,
      last_error text,
      created_at timestamptz not null default now(),
      tried_at timestamptz,
      next_try_at timestamptz not null default now(),
      unique (activity_id, inbox_url)
    ) with (fillfactor = 80)`.execute(db)
  await sql`create index deliveries_waiting on deliveries (domain, next_try_at) where state = 'waiting'`.execute(db)

  // Remote files are shown by reference.
  await sql`
    alter table media_attachments
      alter column file_key drop not null,
      alter column preview_key drop not null,
      add column remote_url text,
      add column preview_remote_url text`.execute(db)

  await sql`
    create table custom_emojis (
      id bigint generated always as identity primary key,
      shortcode text not null,
      domain text,
      uri text,
      image_key text,
      static_image_key text,
      image_remote_url text,
      visible_in_picker boolean not null default true,
      category text,
      disabled boolean not null default false,
      updated_at timestamptz not null default now(),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index custom_emojis_code on custom_emojis (shortcode, coalesce(domain, ''))`.execute(db)
  await sql`alter table accounts add column emoji_ids bigint[] not null default '{}'`.execute(db)

  await sql`
    create table polls (
      id bigint generated always as identity primary key,
      status_id bigint not null unique references statuses on delete cascade,
      account_id bigint not null references accounts on delete cascade,
      options text[] not null,
      tallies integer[] not null,
      multiple boolean not null default false,
      hide_totals boolean not null default false,
      votes_count integer not null default 0,
      voters_count integer,
      expires_at timestamptz,
      fetched_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    alter table statuses
      add column emoji_ids bigint[] not null default '{}',
      -- its parent is known to be there, but not here yet
      add column in_reply_to_uri text,
      -- what the origin tells of its counters
      add column origin_replies_count integer,
      add column origin_reblogs_count integer,
      add column origin_favourites_count integer`.execute(db)
  await sql`create index statuses_awaiting_parent on statuses (in_reply_to_uri) where in_reply_to_uri is not null and in_reply_to_id is null`.execute(
    db,
  )
  await sql`alter table conversations add column uri text unique`.execute(db)

  await sql`
    create table status_edits (
      id bigint generated always as identity primary key,
      status_id bigint not null references statuses on delete cascade,
      text text not null,
      content text not null,
      spoiler_text text not null,
      sensitive boolean not null,
      language text,
      media jsonb not null default '[]',
      poll_options text[],
      emoji_ids bigint[] not null default '{}',
      created_at timestamptz not null
    )`.execute(db)
  await sql`create index status_edits_status on status_edits (status_id, id)`.execute(db)

  await sql`create index follows_uri on follows (uri) where uri is not null`.execute(db)
  await sql`create index follow_requests_uri on follow_requests (uri) where uri is not null`.execute(db)
  await sql`create index blocks_uri on blocks (uri) where uri is not null`.execute(db)
}
