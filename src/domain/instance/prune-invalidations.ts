import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

/** How many rows one transaction deletes. */
const BATCH_SIZE = 20_000

// The lock serialises concurrent runs, so that each reads the horizon that the previous one recorded.
const lockHorizon = statement('select from invalidation_horizon for update')

/**
 * Each process compares the recorded transaction id with the oldest transaction that was running at its last check.
 * Rows as new as a running transaction stay: their ids in the horizon would make every process invalidate everything at
 * each check.
 */
const prune = statement<{ row: { pruned: number } }>(
  `with deleted as (
     delete from invalidations where ctid = any(array(
       select ctid from invalidations
       where created_at < now() - interval '10 minutes' and xid < pg_snapshot_xmin(pg_current_snapshot())
       order by created_at limit ${BATCH_SIZE}))
     returning xid
   ), recorded as (
     update invalidation_horizon set pruned_until_xid = highest.xid from (select max(xid) as xid from deleted) highest
     where highest.xid > pruned_until_xid)
   select count(*)::integer as pruned from deleted`,
)

/**
 * A dump that was restored in another PostgreSQL server brings transaction ids that this one has not reached. Such a
 * horizon would make every process invalidate everything at each check, for as long as the ids are in the future.
 */
const removeFutureTransactions = statement(
  `with removed as (
     delete from invalidations where xid >= pg_snapshot_xmax(pg_current_snapshot())
   )
   update invalidation_horizon set pruned_until_xid = '0'
   where pruned_until_xid >= pg_snapshot_xmax(pg_current_snapshot())`,
)

/**
 * Effect: prunes invalidations after ten minutes. A process that has not checked within that time invalidates
 * everything.
 */
export async function pruneInvalidations(ctx: Ctx): Promise<void> {
  let pruned = BATCH_SIZE
  while (pruned === BATCH_SIZE) {
    pruned = await ctx.write(async ({ db }) => {
      await lockHorizon(db)
      await removeFutureTransactions(db)
      const [row] = await prune(db)
      return row!.pruned
    })
  }
}
