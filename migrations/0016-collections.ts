import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Collections: accounts that somebody recommends together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table collections (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      uri text unique,
      url text,
      name text not null,
      -- local: as typed; remote: sanitised HTML
      description text not null default '',
      language text,
      local boolean not null default true,
      sensitive boolean not null default false,
      discoverable boolean not null default true,
      tag_id bigint references tags on delete set null,
      -- what the origin tells
      origin_item_count integer,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index collections_account on collections (account_id, id desc)`.execute(db)
  await sql`create index collections_tag on collections (tag_id) where tag_id is not null`.execute(db)
  await sql`
    create table collection_items (
      id bigint generated always as identity primary key,
      collection_id bigint not null references collections on delete cascade,
      -- null while an account of another server is not known here
      account_id bigint references accounts on delete cascade,
      object_uri text,
      state text not null default 'pending' check (state in ('pending', 'accepted', 'rejected', 'revoked')),
      uri text unique,
      -- of the request, and of the other server's consent
      activity_uri text,
      approval_uri text,
      created_at timestamptz not null default now(),
      unique (collection_id, account_id)
    )`.execute(db)
  await sql`create index collection_items_account on collection_items (account_id) where account_id is not null`.execute(
    db,
  )
  await sql`create index collection_items_activity on collection_items (activity_uri) where activity_uri is not null`.execute(
    db,
  )
  await sql`alter table roles add column collection_limit integer not null default 10`.execute(db)
  // Of accounts elsewhere: who may feature them at once, and whom they are asked about. Null = their server does not say.
  await sql`
    alter table accounts
      add column feature_automatic text[],
      add column feature_manual text[]`.execute(db)

  await sql`
    alter table notifications add column collection_id bigint references collections on delete cascade`.execute(db)
  await sql`create index notifications_collection on notifications (collection_id) where collection_id is not null`.execute(
    db,
  )
  await sql`drop index notifications_once`.execute(db)
  await sql`
    create unique index notifications_once on notifications
      (account_id, type, from_account_id, coalesce(status_id, 0), coalesce(collection_id, 0))`.execute(db)
}
