import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** When a status of another server was last asked for its replies, and how far that work is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table thread_refreshes (
      status_id bigint primary key references statuses on delete cascade,
      -- told to clients, who ask how it goes; another one with each refresh
      id uuid not null unique default gen_random_uuid(),
      asked_at timestamptz not null,
      finished_at timestamptz,
      -- replies that were not known before
      found integer not null default 0,
      -- statuses and pages of collections that are still to be asked for, and how many were
      waiting jsonb not null default '[]',
      posts_asked integer not null default 0,
      pages_asked integer not null default 0
    )`.execute(db)
  await sql`create index thread_refreshes_age on thread_refreshes (asked_at)`.execute(db)
  await sql`create index thread_refreshes_running on thread_refreshes (asked_at) where finished_at is null`.execute(db)
}
