import { readQueueDelays } from '../../../platform/jobs/read-queue-delays.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableUser } from '../../access/usable-account.ts'
import type { Ctx, Tx } from '../../context.ts'
import { firstTooNewId, hasNoException } from './is-deletable.ts'

/**
 * How many statuses one run deletes at most, since each may be delivered to all servers of its author's followers, and
 * how many of one user in a round. Runs take place each minute. Both numbers are those of Mastodon.
 */
const STATUSES_PER_RUN = 50
const STATUSES_PER_ROUND = 5

/** How many statuses of one user a round examines at most. A policy may keep most of them. */
const EXAMINED_PER_ROUND = 1_000

/** How many users one round examines, and how many rounds a run has, at most. Later runs continue. */
const USERS_PER_ROUND = 10
const MAX_ROUNDS = 50

/** When the oldest job of the queue has been due for longer, the server has more urgent work. */
const MAX_DELAY_SECONDS = { default: 5, network: 10 }

// A pass over the statuses of a user that is finished continues after an hour with those that have become old
// meanwhile. After a day, a new one begins, since an exception may not apply to other statuses any more.
const examine = statement<{
  params: { now: Date; users: number; limit: number }
  row: { account_id: string; ids: string[] }
}>(
  `with due as (
     select p.*, a.id as account_id, coalesce(p.examined_until, 0) as after, ${firstTooNewId('p')} as before
     from status_cleanup_policies p join users u on u.id = p.user_id join accounts a on a.id = u.account_id
     where p.enabled and p.due_at <= $now and ${usableUser()}
     order by p.due_at, p.user_id limit $users for update of p skip locked
   ), examined as materialized (
     select due.user_id, due.account_id, part.last, part.size, found.ids
     from due
       cross join lateral (
         select max(id) as last, count(*) as size from (
           select s.id from statuses s
           where s.account_id = due.account_id and s.deleted_at is null and s.id > due.after and s.id < due.before
           order by s.id limit ${EXAMINED_PER_ROUND}) old) part
       cross join lateral (
         select array(
           select s.id from statuses s
           where s.account_id = due.account_id and s.deleted_at is null and s.id > due.after and s.id <= part.last
             and ${hasNoException('s', 'due')}
           order by s.id limit $limit) as ids) found
   ), ended as (
     select user_id, account_id, ids, coalesce(case when cardinality(ids) = $limit then ids[$limit] end, last) as last,
       cardinality(ids) < $limit and size < ${EXAMINED_PER_ROUND} as is_finished
     from examined
   ), updated as (
     update status_cleanup_policies p set
       due_at = case when is_finished then $now + interval '1 hour' else $now end,
       examined_until = case when is_finished and p.pass_started_at <= $now - interval '1 day' then null
         else coalesce(last, p.examined_until) end,
       pass_started_at = case when is_finished and p.pass_started_at <= $now - interval '1 day' then $now
         else p.pass_started_at end
     from ended where p.user_id = ended.user_id
   )
   select account_id, ids from ended`,
)

/**
 * Effect: finds old statuses that users want to be deleted automatically, and requests their deletion, unless the server
 * is under load. Each round takes some users, those first who have waited longest, and some statuses of each.
 */
export async function requestCleanups(ctx: Ctx): Promise<void> {
  if (await isUnderLoad(ctx)) return
  let budget = STATUSES_PER_RUN
  for (let round = 0; round < MAX_ROUNDS && budget > 0; round += 1) {
    const { users, statuses } = await ctx.write((tx) => requestRound(tx, { budget }))
    if (users === 0) return
    budget -= statuses
  }
}

async function requestRound(tx: Tx, { budget }: { budget: number }): Promise<{ users: number; statuses: number }> {
  const limit = Math.min(STATUSES_PER_ROUND, budget)
  const users = Math.min(USERS_PER_ROUND, Math.floor(budget / limit))
  const rows = await examine(tx.db, { now: tx.now, users, limit })
  for (const { account_id: accountId, ids } of rows) {
    for (const statusId of ids) tx.emit('status.cleanup_due', { accountId, statusId })
  }
  return { users: rows.length, statuses: rows.reduce((sum, { ids }) => sum + ids.length, 0) }
}

async function isUnderLoad({ db, jobNames: known }: Ctx): Promise<boolean> {
  const delays = await readQueueDelays(db, { queues: ['default', 'network'], known })
  return delays.default > MAX_DELAY_SECONDS.default || delays.network > MAX_DELAY_SECONDS.network
}
