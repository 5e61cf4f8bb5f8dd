import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Lists, who is on them, and what stands in their timelines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table lists (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      title text not null,
      replies_policy text not null default 'list' check (replies_policy in ('list', 'followed', 'none')),
      exclusive boolean not null default false,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index lists_account on lists (account_id)`.execute(db)

  // Somebody is on a list by a follow or by a request to follow, and leaves it with that; oneself needs neither.
  await sql`
    create table list_accounts (
      id bigint generated always as identity primary key,
      list_id bigint not null references lists on delete cascade,
      account_id bigint not null references accounts on delete cascade,
      follow_id bigint references follows on delete cascade,
      follow_request_id bigint references follow_requests on delete cascade,
      created_at timestamptz not null default now(),
      unique (list_id, account_id),
      check (follow_id is null or follow_request_id is null)
    )`.execute(db)
  await sql`create index list_accounts_account on list_accounts (account_id, id)`.execute(db)
  await sql`create index list_accounts_follow on list_accounts (follow_id) where follow_id is not null`.execute(db)
  await sql`create index list_accounts_request on list_accounts (follow_request_id) where follow_request_id is not null`.execute(
    db,
  )

  await sql`
    create table list_entries (
      list_id bigint not null,
      status_id bigint not null,
      original_id bigint not null,
      primary key (list_id, status_id) include (original_id)
    ) with (autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
  await sql`create index list_entries_status on list_entries (status_id, list_id)`.execute(db)

  // One post comes into thousands of feeds at once, and foreign keys would ask and lock for each of the rows: a third of
  // the work. Whoever writes entries holds the status once instead, and what is deleted takes its entries along.
  await sql`
    alter table feed_entries
      drop constraint feed_entries_account_id_fkey, drop constraint feed_entries_status_id_fkey`.execute(db)
  await sql`drop index feed_entries_status`.execute(db)
  await sql`create index feed_entries_status on feed_entries (status_id, account_id)`.execute(db)
  await sql`
    create function drop_entries_of_status() returns trigger language plpgsql as $$
    begin
      delete from feed_entries where status_id = old.id;
      delete from list_entries where status_id = old.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger drop_entries after delete on statuses
    for each row execute function drop_entries_of_status()`.execute(db)
  await sql`
    create function drop_entries_of_user() returns trigger language plpgsql as $$
    begin
      delete from feed_entries where account_id = old.account_id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger drop_entries after delete on users
    for each row execute function drop_entries_of_user()`.execute(db)
  await sql`
    create function drop_entries_of_list() returns trigger language plpgsql as $$
    begin
      delete from list_entries where list_id = old.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger drop_entries after delete on lists
    for each row execute function drop_entries_of_list()`.execute(db)

  await sql`
    alter table users add column feeds text not null default 'kept'
      -- of somebody who was away for long they are dropped; being back, they are asked for and made again
      check (feeds in ('kept', 'dropped', 'asked'))`.execute(db)
}
