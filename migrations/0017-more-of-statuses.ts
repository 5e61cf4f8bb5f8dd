import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What people keep, put on top, silence, vote for, quote, and write for later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bookmarks (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      status_id bigint not null references statuses on delete cascade,
      created_at timestamptz not null default now(),
      unique (status_id, account_id)
    )`.execute(db)
  await sql`create index bookmarks_account on bookmarks (account_id, id desc)`.execute(db)

  await sql`
    create table pins (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      status_id bigint not null unique references statuses on delete cascade,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index pins_account on pins (account_id, id desc)`.execute(db)

  await sql`
    create table conversation_mutes (
      account_id bigint not null references accounts on delete cascade,
      conversation_id bigint not null references conversations on delete cascade,
      primary key (account_id, conversation_id)
    )`.execute(db)
  await sql`create index conversation_mutes_conversation on conversation_mutes (conversation_id)`.execute(db)
  await sql`create index statuses_conversation on statuses (conversation_id) where conversation_id is not null`.execute(
    db,
  )

  await sql`
    create table poll_votes (
      id bigint generated always as identity primary key,
      poll_id bigint not null references polls on delete cascade,
      account_id bigint not null references accounts on delete cascade,
      choice smallint not null,
      uri text,
      created_at timestamptz not null default now(),
      unique (poll_id, account_id, choice)
    )`.execute(db)
  await sql`create index poll_votes_account on poll_votes (account_id)`.execute(db)
  await sql`create index polls_account on polls (account_id)`.execute(db)
  // When its end was told; set once.
  await sql`alter table polls add column ended_at timestamptz`.execute(db)

  await sql`
    create table quotes (
      id bigint generated always as identity primary key,
      -- the status that quotes
      status_id bigint not null unique references statuses on delete cascade,
      account_id bigint not null references accounts on delete cascade,
      -- null while it is not known here, or gone
      quoted_status_id bigint references statuses on delete set null,
      quoted_account_id bigint references accounts on delete set null,
      quoted_uri text,
      state text not null default 'pending'
        check (state in ('pending', 'accepted', 'rejected', 'revoked', 'deleted', 'unauthorized')),
      -- told by old keys alone: not shown as a quote until it is accepted
      legacy boolean not null default false,
      -- of the request, and of the consent of who is quoted
      request_uri text,
      approval_uri text unique,
      -- part of the address of the consent of somebody here, which only who has the note can know
      consent_key uuid not null unique default gen_random_uuid(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index quotes_quoted on quotes (quoted_status_id, id desc) where quoted_status_id is not null`.execute(
    db,
  )
  await sql`create index quotes_account on quotes (account_id)`.execute(db)
  await sql`create index quotes_quoted_account on quotes (quoted_account_id) where quoted_account_id is not null`.execute(
    db,
  )
  await sql`create index quotes_quoted_uri on quotes (quoted_uri) where quoted_uri is not null`.execute(db)
  await sql`create index quotes_request on quotes (request_uri) where request_uri is not null`.execute(db)
  await sql`
    alter table statuses
      -- who may quote it at once, and whom its author is asked about: public, followers, following, unsupported_policy
      add column quote_automatic text[] not null default '{}',
      add column quote_manual text[] not null default '{}'`.execute(db)
  await sql`
    alter table status_stats add column quotes_count integer not null default 0 check (quotes_count >= 0)`.execute(db)

  await sql`
    create table scheduled_statuses (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      application_id bigint references applications on delete set null,
      scheduled_at timestamptz not null,
      draft jsonb not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index scheduled_statuses_account on scheduled_statuses (account_id, id desc)`.execute(db)
  await sql`create index scheduled_statuses_due on scheduled_statuses (scheduled_at)`.execute(db)
  await sql`create index scheduled_statuses_application on scheduled_statuses (application_id) where application_id is not null`.execute(
    db,
  )
  await sql`
    alter table media_attachments
      add column scheduled_status_id bigint references scheduled_statuses on delete set null`.execute(db)
  await sql`create index media_attachments_scheduled on media_attachments (scheduled_status_id) where scheduled_status_id is not null`.execute(
    db,
  )
  // A key may also have made a status that is posted later.
  await sql`
    alter table idempotency_keys
      alter column status_id drop not null,
      add column scheduled_status_id bigint references scheduled_statuses on delete cascade`.execute(db)
  await sql`create index idempotency_keys_scheduled on idempotency_keys (scheduled_status_id) where scheduled_status_id is not null`.execute(
    db,
  )
}
