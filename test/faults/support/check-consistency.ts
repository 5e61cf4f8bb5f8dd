import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { jobNames } from '../../../src/jobs.ts'
import type { AcknowledgedState } from './random-users.ts'
import type { BuilderDb } from '../../query-builder.ts'

/** Checks that the database contains exactly the acknowledged state, each row once. */
export async function checkAcknowledged(
  db: BuilderDb,
  { acknowledged, actorIds }: { acknowledged: AcknowledgedState; actorIds: readonly string[] },
): Promise<void> {
  const posts = await sql<{ id: string; text: string }>`
    select id, text from statuses
    where reblog_of_id is null and deleted_at is null and account_id = any(${actorIds}::bigint[])`.execute(db)
  assert.deepEqual(
    posts.rows.map(({ id, text }) => `${text} ${id}`).toSorted(),
    [...acknowledged.posts].map(([text, { id }]) => `${text} ${id}`).toSorted(),
    'posts',
  )
  const reblogs = await sql<{ action: string }>`
    select account_id || ':' || reblog_of_id || ':' || id as action from statuses where reblog_of_id is not null
    `.execute(db)
  const reblogIds = [...acknowledged.reblogs].map(([action, id]) => `${action}:${id}`)
  assert.deepEqual(reblogs.rows.map((row) => row.action).toSorted(), acknowledged.ofExistingPosts(reblogIds), 'reblogs')
  const favourites = await sql<{ action: string }>`
    select account_id || ':' || status_id as action from favourites`.execute(db)
  assert.deepEqual(
    favourites.rows.map((row) => row.action).toSorted(),
    acknowledged.ofExistingPosts(acknowledged.favourites),
    'favourites',
  )
  const follows = await sql<{ action: string }>`
    select account_id || ':' || target_account_id as action from follows
    where account_id = any(${actorIds}::bigint[])`.execute(db)
  assert.deepEqual(follows.rows.map((row) => row.action).toSorted(), [...acknowledged.follows].toSorted(), 'follows')
}

/**
 * Checks that every effect of the actions has happened. The feeds of each follower and of the author contain each post,
 * or an earlier entry with the same original. Every mention and every favourite of another account has one
 * notification. Every counter equals a recount.
 */
export async function checkConsequences(db: BuilderDb): Promise<void> {
  const { rows } = await sql<Record<string, number>>`
    select
      (select count(*)::int from statuses s join follows f on f.target_account_id = s.account_id
         left join feed_entries e on e.original_id = s.id and e.account_id = f.account_id
       where s.reblog_of_id is null and e.account_id is null) as "followers without their feed row",
      (select count(*)::int from statuses s where not exists (
         select from feed_entries e where e.account_id = s.account_id
           and (e.status_id = s.id or e.original_id = s.reblog_of_id))) as "authors without their feed row",
      (select count(*)::int from (
         select m.id from mentions m join statuses s on s.id = m.status_id
         left join notifications n on n.status_id = m.status_id and n.account_id = m.account_id and n.type = 'mention'
         group by m.id having count(n.id) <> 1) wrong) as "mentions without one notification",
      (select count(*)::int from (
         select f.id from favourites f join statuses s on s.id = f.status_id and s.account_id <> f.account_id
         left join notifications n on n.status_id = f.status_id and n.from_account_id = f.account_id
           and n.type = 'favourite' and n.account_id = s.account_id
         group by f.id having count(n.id) <> 1) wrong) as "favourites without one notification",
      (select count(*)::int from status_stats c where c.favourites_count <>
         (select count(*) from favourites f where f.status_id = c.status_id)) as "wrong counts of favourites",
      (select count(*)::int from status_stats c where c.reblogs_count <>
         (select count(*) from statuses b where b.reblog_of_id = c.status_id)) as "wrong counts of reblogs",
      (select count(*)::int from account_stats c where c.statuses_count <>
         (select count(*) from statuses s where s.account_id = c.account_id)) as "wrong counts of posts",
      (select count(*)::int from account_stats c where c.following_count <>
         (select count(*) from follows f where f.account_id = c.account_id)) as "wrong counts of followed accounts",
      (select count(*)::int from account_stats c where c.followers_count <>
         (select count(*) from follows f where f.target_account_id = c.account_id)) as "wrong counts of followers"
    `.execute(db)
  assert.deepEqual(
    Object.entries(rows[0]!).filter(([, count]) => count !== 0),
    [],
  )
}

// Some jobs are scheduled for later, for example e-mail notifications.
const SCHEDULED_FOR_LATER = sql`(attempts = 0 and locked_at is null and run_at > now())`

/** Counts jobs that wait or run, but not those that are dead, parked or scheduled for later. */
export async function countOpenJobs(db: BuilderDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs j
    where (attempts < max_attempts or locked_at is not null) and name = any(${[...jobNames]}::text[])
      and not ${SCHEDULED_FOR_LATER}`.execute(db)
  return rows[0]!.count
}

/** Counts open, dead and parked jobs, but not those that are scheduled for later. */
export async function countRemainingJobs(db: BuilderDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs j where not ${SCHEDULED_FOR_LATER}`.execute(db)
  return rows[0]!.count
}

/** Returns the ids of jobs that are locked by a dead worker: no session holds the worker's liveness lock. */
export async function findJobsOfDeadWorkers(db: BuilderDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from jobs j
    where locked_by is not null and not exists (
      select from pg_locks where locktype = 'advisory' and classid = 4711 and granted
        and objid = hashtext(j.locked_by)::bigint & 4294967295
        and database = (select oid from pg_database where datname = current_database()))`.execute(db)
  return rows.map((row) => row.id)
}
