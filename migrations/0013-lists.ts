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
  await sql`create index list_accounts_account on list_accounts (account_id)`.execute(db)
  await sql`create index list_accounts_follow on list_accounts (follow_id) where follow_id is not null`.execute(db)
  await sql`create index list_accounts_request on list_accounts (follow_request_id) where follow_request_id is not null`.execute(
    db,
  )

  await sql`
    create table list_entries (
      list_id bigint not null references lists on delete cascade,
      status_id bigint not null references statuses on delete cascade,
      original_id bigint not null,
      primary key (list_id, status_id) include (original_id)
    ) with (autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
  await sql`create index list_entries_status on list_entries (status_id)`.execute(db)
}
