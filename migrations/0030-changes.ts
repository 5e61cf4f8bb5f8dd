import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * What has changed, for those who keep answers in memory: each commit says of whom and of which statuses something is
 * not as it was. `src/platform/db/changes.ts` reads it. A subject is one of s (a status) · c (its counters) · a (an
 * account) · n (its counters) · u (who uses it) · v (what they did, and how they stand to others) · t (a token), or an
 * asterisk for everything.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table changes (
      -- by which a reader tells what it has not seen yet, whatever the order of the commits
      xid xid8 not null default pg_current_xact_id(),
      at timestamptz not null default now(),
      subject text not null,
      id bigint not null
    )`.execute(db)
  await sql`create index changes_xid on changes (xid)`.execute(db)
  await sql`create index changes_at on changes (at)`.execute(db)
  // In words, the changes that are visible now and were not in that snapshot: letters of subjects with ids. Commits become
  // visible in another order than they began, so no number tells what is new, but the snapshot does: it is what has begun
  // since, and what was under way then. The upper limit says nothing new, but lets the planner know that the range is
  // short; and the table may have been nearly empty when the plan was made.
  await sql`
    create function changes_since(seen pg_snapshot, at_most integer) returns text
    language plpgsql stable set enable_seqscan = off as $$
    begin
      return (
        select string_agg(subject || id::text, ' ') from (
          (select subject, id from changes
            where xid >= pg_snapshot_xmax(seen) and xid < pg_snapshot_xmax(pg_current_snapshot())
            limit at_most)
          union all
          (select subject, id from changes where xid = any(array(select pg_snapshot_xip(seen))) limit at_most)) unseen);
    end $$`.execute(db)
  // What is older is not written down any more: whose last look came before that has missed something.
  await sql`create table changes_forgotten (until xid8 not null)`.execute(db)
  await sql`insert into changes_forgotten values ('0')`.execute(db)

  for (const { table, on, subjects } of TOLD) {
    const rows = subjects.map(([subject, id]) => `select '${subject}', ${id}::bigint from touched`).join(' union ')
    await sql`
      create function ${sql.raw(`tell_of_${table}`)}() returns trigger language plpgsql as ${sql.raw(`$$
      begin
        insert into changes (subject, id) select subject, id from (${rows}) told (subject, id) where id is not null;
        return null;
      end $$`)}`.execute(db)
    for (const event of on.split(' ')) {
      await sql`
        create trigger ${sql.raw(`tell_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
        referencing ${sql.raw(event === 'delete' ? 'old' : 'new')} table as touched
        for each statement execute function ${sql.raw(`tell_of_${table}`)}()`.execute(db)
    }
  }

  // A new status changes nothing that was there before, unless it is a boost, which is something that the booster did.
  await sql`
    create function tell_of_boost() returns trigger language plpgsql as $$
    begin
      insert into changes (subject, id) values ('v', new.account_id);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger tell_insert after insert on statuses
    for each row when (new.reblog_of_id is not null) execute function tell_of_boost()`.execute(db)

  // Those who wait to follow somebody are counted for that person, unless they are suspended.
  await sql`
    create function tell_of_asker() returns trigger language plpgsql as $$
    begin
      insert into changes (subject, id) select 'v', target_account_id from follow_requests where account_id = new.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger tell_suspended after update on accounts
    for each row when ((old.suspended_at is null) <> (new.suspended_at is null))
    execute function tell_of_asker()`.execute(db)
}

/** Of whom a change of each table tells. */
const TOLD: { table: string; on: string; subjects: [subject: string, id: string][] }[] = [
  {
    table: 'statuses',
    on: 'update delete',
    subjects: [
      ['s', 'id'],
      ['v', 'case when reblog_of_id is not null then account_id end'],
    ],
  },
  { table: 'status_stats', on: 'insert update delete', subjects: [['c', 'status_id']] },
  { table: 'mentions', on: 'insert update delete', subjects: [['s', 'status_id']] },
  { table: 'quotes', on: 'insert update delete', subjects: [['s', 'status_id']] },
  { table: 'pins', on: 'insert delete', subjects: [['s', 'status_id']] },
  { table: 'polls', on: 'insert update delete', subjects: [['s', 'status_id']] },
  { table: 'accounts', on: 'update delete', subjects: [['a', 'id']] },
  { table: 'account_stats', on: 'insert update delete', subjects: [['n', 'account_id']] },
  {
    table: 'users',
    on: 'update delete',
    subjects: [
      ['u', 'account_id'],
      ['v', 'account_id'],
    ],
  },
  { table: 'favourites', on: 'insert delete', subjects: [['v', 'account_id']] },
  { table: 'bookmarks', on: 'insert delete', subjects: [['v', 'account_id']] },
  { table: 'conversation_mutes', on: 'insert delete', subjects: [['v', 'account_id']] },
  { table: 'poll_votes', on: 'insert delete', subjects: [['v', 'account_id']] },
  { table: 'mutes', on: 'insert update delete', subjects: [['v', 'account_id']] },
  { table: 'account_domain_blocks', on: 'insert delete', subjects: [['v', 'account_id']] },
  {
    table: 'blocks',
    on: 'insert delete',
    subjects: [
      ['v', 'account_id'],
      ['v', 'target_account_id'],
    ],
  },
  {
    table: 'follows',
    on: 'insert delete',
    subjects: [
      ['v', 'account_id'],
      ['v', 'target_account_id'],
    ],
  },
  { table: 'follow_requests', on: 'insert delete', subjects: [['v', 'target_account_id']] },
  { table: 'access_tokens', on: 'update delete', subjects: [['t', 'id']] },
  { table: 'applications', on: 'update delete', subjects: [['*', '0']] },
  { table: 'custom_emojis', on: 'update delete', subjects: [['*', '0']] },
  { table: 'roles', on: 'insert update delete', subjects: [['*', '0']] },
  // What the owner chose. Under names with a colon parts of the program note how far they are, some of them each minute.
  { table: 'settings', on: 'insert update delete', subjects: [['*', "case when name not like '%:%' then 0 end"]] },
]
