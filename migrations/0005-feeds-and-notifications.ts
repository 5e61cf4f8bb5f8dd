import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Home feeds, written when a status is posted, and notifications. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table feed_entries (
      account_id bigint not null references accounts on delete cascade,
      status_id bigint not null references statuses on delete cascade,
      -- the boosted status, or the status itself: what a second boost is recognised by
      original_id bigint not null,
      primary key (account_id, status_id) include (original_id)
    ) with (autovacuum_vacuum_scale_factor = 0.02)`.execute(db)
  await sql`create index feed_entries_status on feed_entries (status_id)`.execute(db)

  await sql`
    create table notifications (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      from_account_id bigint not null references accounts on delete cascade,
      type text not null,
      status_id bigint references statuses on delete cascade,
      created_at timestamptz not null default now()
    )`.execute(db)
  // An effect may run twice; its notification counts once.
  await sql`
    create unique index notifications_once on notifications
      (account_id, type, from_account_id, coalesce(status_id, 0))`.execute(db)
  await sql`create index notifications_account on notifications (account_id, id desc)`.execute(db)
  await sql`create index notifications_status on notifications (status_id) where status_id is not null`.execute(db)
  await sql`create index notifications_from on notifications (from_account_id)`.execute(db)
}
