import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Accounts (people here and elsewhere), users (those who log in here), their roles and browser sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table accounts (
      id bigint generated always as identity primary key,
      username text not null,
      -- null = local; else canonical ASCII
      domain text,
      uri text not null unique,
      url text not null,
      actor_type text not null default 'Person',
      display_name text not null default '',
      -- local: as typed; remote: sanitised HTML
      note text not null default '',
      fields jsonb not null default '[]',
      avatar_key text,
      avatar_static_key text,
      avatar_description text not null default '',
      header_key text,
      header_static_key text,
      header_description text not null default '',
      locked boolean not null default false,
      discoverable boolean,
      indexable boolean not null default false,
      hide_collections boolean,
      -- rises with every change that a rendering shows, so that cached renderings know that they are old
      version integer not null default 1,
      moved_to_account_id bigint references accounts on delete set null,
      memorial boolean not null default false,
      silenced_at timestamptz,
      suspended_at timestamptz,
      sensitized_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index accounts_handle on accounts (lower(username), coalesce(domain, ''))`.execute(db)
  await sql`create index accounts_handle_prefix on accounts (lower(username) text_pattern_ops)`.execute(db)
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`
    create index accounts_search on accounts
    using gin ((lower(username || ' ' || display_name || ' ' || coalesce(domain, ''))) gin_trgm_ops)`.execute(db)

  // Counters change with every post and follow: a narrow row of their own keeps the wide one unwritten.
  await sql`
    create table account_stats (
      account_id bigint primary key references accounts on delete cascade,
      statuses_count integer not null default 0 check (statuses_count >= 0),
      followers_count integer not null default 0 check (followers_count >= 0),
      following_count integer not null default 0 check (following_count >= 0),
      last_status_at timestamptz
    ) with (fillfactor = 70)`.execute(db)

  await sql`
    create table roles (
      id bigint primary key,
      name text not null,
      color text not null default '',
      position integer not null,
      permissions bigint not null,
      highlighted boolean not null default false
    )`.execute(db)
  // -99 is what everybody holds. Bits: 0 administrator, 2 audit log, 3 dashboard, 4 reports, 5 federation, 6 settings,
  // 7 blocks, 8 taxonomies, 9 appeals, 10 users, 11 invites, 12 rules, 13 announcements, 14 emojis, 15 webhooks,
  // 16 invite users, 17 roles, 18 user access, 19 delete user data, 20 view feeds.
  await sql`
    insert into roles (id, name, position, permissions, highlighted) values
      (-99, '', -1, 1 << 16, false),
      (1, 'Moderator', 10, (1<<3) | (1<<2) | (1<<20) | (1<<10) | (1<<4) | (1<<8), true),
      (2, 'Admin', 100, (1<<2) | (1<<3) | (1<<4) | (1<<5) | (1<<6) | (1<<7) | (1<<8) | (1<<9) | (1<<10) | (1<<11)
        | (1<<12) | (1<<13) | (1<<14) | (1<<15) | (1<<16) | (1<<17) | (1<<18) | (1<<19) | (1<<20), true),
      (3, 'Owner', 1000, 1, true)`.execute(db)

  await sql`
    create table users (
      id bigint generated always as identity primary key,
      account_id bigint not null unique references accounts on delete cascade,
      email text not null,
      unconfirmed_email text,
      password_hash text,
      role_id bigint not null default -99 references roles,
      locale text not null default 'en',
      time_zone text,
      sign_up_reason text,
      sign_up_application_id bigint,
      confirmation_sent_at timestamptz,
      confirmed_at timestamptz,
      approved boolean not null default true,
      disabled_at timestamptz,
      default_privacy text,
      default_sensitive boolean not null default false,
      default_language text,
      last_seen_at timestamptz not null default now(),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index users_email on users (lower(email))`.execute(db)
  await sql`create index users_role on users (role_id) where role_id <> -99`.execute(db)

  await sql`
    create table sessions (
      id_hash bytea primary key,
      user_id bigint not null references users on delete cascade,
      ip inet,
      user_agent text not null default '',
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index sessions_user on sessions (user_id)`.execute(db)
}
