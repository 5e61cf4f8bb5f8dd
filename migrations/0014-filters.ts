import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Filters: words and statuses that somebody does not want to meet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table filters (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      title text not null,
      contexts text[] not null
        check (contexts <@ '{home,notifications,public,thread,account}' and cardinality(contexts) > 0),
      action text not null default 'warn' check (action in ('warn', 'hide', 'blur')),
      expires_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index filters_account on filters (account_id)`.execute(db)
  await sql`
    create table filter_keywords (
      id bigint generated always as identity primary key,
      filter_id bigint not null references filters on delete cascade,
      keyword text not null,
      whole_word boolean not null default true
    )`.execute(db)
  await sql`create index filter_keywords_filter on filter_keywords (filter_id)`.execute(db)
  await sql`
    create table filter_statuses (
      id bigint generated always as identity primary key,
      filter_id bigint not null references filters on delete cascade,
      status_id bigint not null references statuses on delete cascade,
      unique (filter_id, status_id)
    )`.execute(db)
  await sql`create index filter_statuses_status on filter_statuses (status_id)`.execute(db)
  // Rises with every change of somebody's filters, so that what was prepared from them knows that it is old.
  await sql`alter table users add column filters_version integer not null default 0`.execute(db)
}
