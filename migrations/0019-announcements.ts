import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What the server says of itself: announcements, rules, terms of service, and how much happens by week. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table announcements (
      id bigint generated always as identity primary key,
      -- as typed, and as shown (HTML)
      text text not null,
      content text not null,
      starts_at timestamptz,
      ends_at timestamptz,
      -- only the days of the two count
      all_day boolean not null default false,
      -- what the text names; what is gone by now is not shown
      mentioned_ids bigint[] not null default '{}',
      status_ids bigint[] not null default '{}',
      tags text[] not null default '{}',
      emoji_ids bigint[] not null default '{}',
      published_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table announcement_dismissals (
      account_id bigint not null references accounts on delete cascade,
      announcement_id bigint not null references announcements on delete cascade,
      primary key (account_id, announcement_id)
    )`.execute(db)
  await sql`create index announcement_dismissals_announcement on announcement_dismissals (announcement_id)`.execute(db)
  await sql`
    create table announcement_reactions (
      id bigint generated always as identity primary key,
      announcement_id bigint not null references announcements on delete cascade,
      account_id bigint not null references accounts on delete cascade,
      -- an emoji, or the code of a custom one
      name text not null,
      emoji_id bigint references custom_emojis on delete cascade,
      created_at timestamptz not null default now(),
      unique (announcement_id, name, account_id)
    )`.execute(db)
  await sql`create index announcement_reactions_account on announcement_reactions (account_id)`.execute(db)
  await sql`create index announcement_reactions_emoji on announcement_reactions (emoji_id) where emoji_id is not null`.execute(
    db,
  )

  await sql`
    create table rules (
      id bigint generated always as identity primary key,
      text text not null,
      hint text not null default '',
      -- by language: { text, hint }
      translations jsonb not null default '{}',
      created_at timestamptz not null default now(),
      -- a rule that counts no more is still named by reports that were made under it
      deleted_at timestamptz
    )`.execute(db)

  await sql`
    create table terms_of_service (
      effective_date date primary key,
      text text not null,
      published_at timestamptz not null default now()
    )`.execute(db)

  // A week begins on Monday, 00:00 UTC. What is over is in the first table, what is not counted yet in the second.
  await sql`
    create table weekly_figures (
      starts_at timestamptz primary key,
      statuses integer not null default 0,
      logins integer not null default 0,
      registrations integer not null default 0,
      -- statuses of that week are counted up to this id
      counted_to bigint not null default 0
    )`.execute(db)
  // Without a reference: who left was here all the same.
  await sql`
    create table weekly_people (
      starts_at timestamptz not null,
      deed text not null check (deed in ('login', 'registration')),
      user_id bigint not null,
      primary key (starts_at, deed, user_id)
    )`.execute(db)

  await sql`create index custom_emojis_local on custom_emojis (shortcode) where domain is null`.execute(db)
}
