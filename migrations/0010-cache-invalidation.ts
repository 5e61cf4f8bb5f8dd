/**
 * Invalidations of the caches in memory. Triggers record which accounts and statuses each commit changes, and a request
 * checks these rows before it reads a cache (`src/platform/db/invalidations.ts`).
 *
 * A kind is a letter: s status · c counters of a status · a account · n counters of an account · u user of an account
 * · v viewer state of an account (its interactions and relationships) · t access token · * everything.
 */

interface InvalidationSource {
  table: string
  /** The statements whose rows cause invalidations. */
  events: ('insert' | 'update' | 'delete')[]
  /** What each changed row invalidates: the kind, and an SQL expression for the id, whose null invalidates nothing. */
  subjects: [kind: string, id: string][]
}

const INVALIDATION_SOURCES: InvalidationSource[] = [
  {
    // Rows of new statuses invalidate nothing, except reblogs (below).
    table: 'statuses',
    events: ['update', 'delete'],
    subjects: [
      ['s', 'id'],
      ['v', 'case when reblog_of_id is not null then account_id end'],
    ],
  },
  { table: 'status_stats', events: ['insert', 'update', 'delete'], subjects: [['c', 'status_id']] },
  { table: 'mentions', events: ['insert', 'update', 'delete'], subjects: [['s', 'status_id']] },
  { table: 'quotes', events: ['insert', 'update', 'delete'], subjects: [['s', 'status_id']] },
  { table: 'status_pins', events: ['insert', 'delete'], subjects: [['s', 'status_id']] },
  { table: 'polls', events: ['insert', 'update', 'delete'], subjects: [['s', 'status_id']] },
  { table: 'accounts', events: ['update', 'delete'], subjects: [['a', 'id']] },
  { table: 'account_stats', events: ['insert', 'update', 'delete'], subjects: [['n', 'account_id']] },
  {
    table: 'users',
    events: ['update', 'delete'],
    subjects: [
      ['u', 'account_id'],
      ['v', 'account_id'],
    ],
  },
  { table: 'favourites', events: ['insert', 'delete'], subjects: [['v', 'account_id']] },
  { table: 'bookmarks', events: ['insert', 'delete'], subjects: [['v', 'account_id']] },
  { table: 'conversation_mutes', events: ['insert', 'delete'], subjects: [['v', 'account_id']] },
  { table: 'poll_votes', events: ['insert', 'delete'], subjects: [['v', 'account_id']] },
  { table: 'mutes', events: ['insert', 'update', 'delete'], subjects: [['v', 'account_id']] },
  { table: 'account_domain_blocks', events: ['insert', 'delete'], subjects: [['v', 'account_id']] },
  {
    table: 'blocks',
    events: ['insert', 'delete'],
    subjects: [
      ['v', 'account_id'],
      ['v', 'target_account_id'],
    ],
  },
  {
    table: 'follows',
    events: ['insert', 'delete'],
    subjects: [
      ['v', 'account_id'],
      ['v', 'target_account_id'],
    ],
  },
  { table: 'follow_requests', events: ['insert', 'delete'], subjects: [['v', 'target_account_id']] },
  { table: 'access_tokens', events: ['update', 'delete'], subjects: [['t', 'id']] },
  { table: 'applications', events: ['update', 'delete'], subjects: [['*', '0']] },
  { table: 'custom_emojis', events: ['update', 'delete'], subjects: [['*', '0']] },
  { table: 'roles', events: ['insert', 'update', 'delete'], subjects: [['*', '0']] },
  {
    // Jobs store their progress under names with a colon, some of them every minute; no cache contains it.
    table: 'settings',
    events: ['insert', 'update', 'delete'],
    subjects: [['*', "case when name not like '%:%' then 0 end"]],
  },
]

/** Returns the trigger function of a table, and its trigger for each event. */
function createTriggers({ table, events, subjects }: InvalidationSource): string {
  const rows = subjects.map(([kind, id]) => `select '${kind}', ${id}::bigint from touched`).join(' union ')
  const triggers = events.map(
    (event) => `
create trigger invalidate_${event} after ${event} on ${table}
  referencing ${event === 'delete' ? 'old' : 'new'} table as touched
  for each statement execute function record_${table}_invalidations();`,
  )
  return `
create function record_${table}_invalidations() returns trigger language plpgsql as $$
begin
  insert into invalidations (kind, subject_id) select kind, subject_id from (${rows}) changed (kind, subject_id) where subject_id is not null;
  return null;
end $$;
${triggers.join('')}
`
}

export const up = `
create table invalidations (
  -- identifies the rows that a check has not returned before, in whatever order transactions commit
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now(),
  kind text not null,
  subject_id bigint not null
);
create index invalidations_xid on invalidations (xid);
create index invalidations_created_at on invalidations (created_at);

-- Rows up to this transaction have been pruned. A process whose last check was earlier has missed some of them.
create table invalidation_horizon (pruned_until_xid xid8 not null);
insert into invalidation_horizon values ('0');

-- Returns, as kinds with ids of subjects, the rows that are visible now and were not visible in that snapshot. Transactions
-- commit in another order than they begin, so no sequence number identifies the new rows, but the snapshot does: they
-- are those of transactions that began after it, and of transactions that were running then. The upper bound of the
-- range excludes nothing; with it, the planner knows that the range is short. Sequential scans are disabled, because
-- the plan may have been made while the table was nearly empty.
create function invalidations_since(seen pg_snapshot, at_most integer) returns text
language plpgsql stable set enable_seqscan = off as $$
begin
  return (
    select string_agg(kind || subject_id::text, ' ') from (
      (select kind, subject_id from invalidations
        where xid >= pg_snapshot_xmax(seen) and xid < pg_snapshot_xmax(pg_current_snapshot())
        limit at_most)
      union all
      (select kind, subject_id from invalidations where xid = any(array(select pg_snapshot_xip(seen))) limit at_most)) unseen);
end $$;
${INVALIDATION_SOURCES.map(createTriggers).join('')}
-- A new status changes no cached value, unless it is a reblog, which is viewer state of its author.
create function record_reblog_invalidation() returns trigger language plpgsql as $$
begin
  insert into invalidations (kind, subject_id) values ('v', new.account_id);
  return null;
end $$;
create trigger invalidate_insert after insert on statuses
  for each row when (new.reblog_of_id is not null) execute function record_reblog_invalidation();

-- The number of pending follow requests, which is viewer state of their target, omits suspended accounts.
create function record_follow_request_target_invalidation() returns trigger language plpgsql as $$
begin
  insert into invalidations (kind, subject_id) select 'v', target_account_id from follow_requests where account_id = new.id;
  return null;
end $$;
create trigger invalidate_suspension after update on accounts
  for each row when ((old.suspended_at is null) <> (new.suspended_at is null))
  execute function record_follow_request_target_invalidation();
`
