import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Whoever asked for a report of their year is told when it is there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications add column annual_report_id bigint references annual_reports on delete cascade`.execute(
    db,
  )
  await sql`
    create index notifications_annual_report on notifications (annual_report_id) where annual_report_id is not null`.execute(
    db,
  )
  await sql`drop index notifications_once`.execute(db)
  await sql`
    create unique index notifications_once on notifications
      (account_id, type, from_account_id, coalesce(status_id, 0), coalesce(collection_id, 0), coalesce(report_id, 0),
       coalesce(severance_id, 0), coalesce(warning_id, 0), coalesce(annual_report_id, 0))`.execute(db)
}
