import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What people choose for themselves, what they note about each other, and where accounts go. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts
      -- sites that may name this account as an author
      add column attribution_domains text[] not null default '{}',
      add column show_media boolean not null default true,
      add column show_media_replies boolean not null default true,
      add column show_featured boolean not null default true`.execute(db)
  await sql`
    alter table users
      add column default_quote_policy text not null default 'public'
        check (default_quote_policy in ('public', 'followers', 'nobody')),
      add column expand_media text not null default 'default'
        check (expand_media in ('default', 'show_all', 'hide_all')),
      add column expand_spoilers boolean not null default false,
      add column autoplay_gifs boolean not null default false,
      add column aggregate_reblogs boolean not null default true,
      add column show_application boolean not null default true,
      -- null = all
      add column chosen_languages text[],
      -- when the newest letter was written by whose link a forgotten password is replaced; null = none counts
      add column password_reset_sent_at timestamptz`.execute(db)

  await sql`
    create table account_notes (
      account_id bigint not null references accounts on delete cascade,
      target_account_id bigint not null references accounts on delete cascade,
      comment text not null,
      primary key (account_id, target_account_id)
    )`.execute(db)
  await sql`create index account_notes_target on account_notes (target_account_id)`.execute(db)

  // Only who is followed can be recommended, so the recommendation ends with the follow.
  await sql`
    create table endorsements (
      id bigint generated always as identity primary key,
      account_id bigint not null,
      target_account_id bigint not null,
      created_at timestamptz not null default now(),
      unique (account_id, target_account_id),
      foreign key (account_id, target_account_id) references follows (account_id, target_account_id) on delete cascade
    )`.execute(db)

  await sql`
    create table account_domain_blocks (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      -- canonical ASCII; subdomains are blocked with it
      domain text not null,
      created_at timestamptz not null default now(),
      unique (account_id, domain)
    )`.execute(db)
  await sql`create index account_domain_blocks_domain on account_domain_blocks (domain)`.execute(db)

  await sql`
    create table markers (
      account_id bigint not null references accounts on delete cascade,
      timeline text not null check (timeline in ('home', 'notifications')),
      last_read_id bigint not null,
      version integer not null default 1,
      updated_at timestamptz not null default now(),
      primary key (account_id, timeline)
    )`.execute(db)

  await sql`
    create table suggestion_dismissals (
      account_id bigint not null references accounts on delete cascade,
      target_account_id bigint not null references accounts on delete cascade,
      primary key (account_id, target_account_id)
    )`.execute(db)
  await sql`create index suggestion_dismissals_target on suggestion_dismissals (target_account_id)`.execute(db)

  await sql`
    create table account_moves (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      target_account_id bigint not null references accounts on delete cascade,
      followers_count integer not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index account_moves_account on account_moves (account_id, created_at desc)`.execute(db)
  await sql`create index account_moves_target on account_moves (target_account_id)`.execute(db)
  await sql`create index accounts_moved on accounts (moved_to_account_id) where moved_to_account_id is not null`.execute(
    db,
  )

  // What a search looks up: every three characters of a text, the first one and two behind a blank, and whatever is not
  // ASCII, since there are languages in which one character is a word. The same in every locale.
  await sql`
    create function search_grams(t text) returns text[] language sql immutable strict parallel safe
    return (
      select coalesce(array_agg(distinct gram), '{}')
      from generate_series(1, least(length(t), 300)) i,
        lateral (values (substr(t, i, 1)), (substr(t, i, 2)), (substr(t, i, 3))) g (gram)
      where length(gram) = 3 or octet_length(gram) > length(gram) or (length(gram) = 2 and starts_with(gram, ' '))
    )`.execute(db)
  await sql`drop index accounts_search`.execute(db)
  await sql`
    create index accounts_words on accounts
    using gin (search_grams(' ' || lower(username || ' ' || display_name || ' ' || coalesce(domain, ''))))
    with (fastupdate = off)`.execute(db)

  // Who may be recommended to strangers, and who has most to say and most who listen.
  await sql`create index accounts_discoverable on accounts (id desc) where discoverable`.execute(db)
  await sql`create index accounts_discoverable_here on accounts (id desc) where discoverable and domain is null`.execute(
    db,
  )
  await sql`
    create index account_stats_active on account_stats (last_status_at desc nulls last, account_id desc)`.execute(db)
  await sql`
    create index account_stats_followed on account_stats (followers_count desc, account_id desc)
    where followers_count > 0`.execute(db)

  // Nobody takes the name of somebody who has gone.
  await sql`
    create table deleted_usernames (
      username text primary key check (username = lower(username)),
      uri text not null,
      deleted_at timestamptz not null default now()
    )`.execute(db)
}
