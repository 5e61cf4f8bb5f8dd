import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What people tell the moderators, and what is kept for them when its author takes it away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table reports (
      id bigint generated always as identity primary key,
      -- of somebody elsewhere this is mostly their server itself
      account_id bigint not null references accounts on delete cascade,
      target_account_id bigint not null references accounts on delete cascade,
      -- what is gone by now is not shown
      status_ids bigint[] not null default '{}',
      collection_ids bigint[] not null default '{}',
      rule_ids bigint[] not null default '{}',
      comment text not null default '',
      category text not null default 'other' check (category in ('spam', 'legal', 'violation', 'other')),
      -- also to the server of whom it is about
      forwarded boolean not null default false,
      -- of the activity that tells of it, to or from another server; without an address, a digest of what it says
      uri text,
      assigned_account_id bigint references accounts on delete set null,
      action_taken_at timestamptz,
      action_taken_by_account_id bigint references accounts on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index reports_account on reports (account_id)`.execute(db)
  await sql`create index reports_target on reports (target_account_id, id)`.execute(db)
  await sql`create index reports_open on reports (target_account_id, id) where action_taken_at is null`.execute(db)
  await sql`create index reports_assigned on reports (assigned_account_id) where assigned_account_id is not null`.execute(
    db,
  )
  await sql`create index reports_action_taken_by on reports (action_taken_by_account_id) where action_taken_by_account_id is not null`.execute(
    db,
  )
  // An activity may be read twice; it is one report for each whom it is about.
  await sql`create unique index reports_uri on reports (uri, target_account_id) where uri is not null`.execute(db)

  await sql`alter table notifications add column report_id bigint references reports on delete cascade`.execute(db)
  await sql`create index notifications_report on notifications (report_id) where report_id is not null`.execute(db)
  await sql`drop index notifications_once`.execute(db)
  await sql`
    create unique index notifications_once on notifications
      (account_id, type, from_account_id, coalesce(status_id, 0), coalesce(collection_id, 0), coalesce(report_id, 0))`.execute(
    db,
  )

  await sql`create index statuses_deleted on statuses (deleted_at) where deleted_at is not null`.execute(db)
  // Two rows may show the same files: the author's, and what is kept for the moderators. The last one takes them along.
  await sql`create index media_attachments_file on media_attachments (file_key) where file_key is not null`.execute(db)
  await sql`create index media_attachments_preview on media_attachments (preview_key) where preview_key is not null`.execute(
    db,
  )
}
