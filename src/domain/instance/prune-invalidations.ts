import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

/** How many rows one transaction deletes. */
const STEP = 20_000

// Runs one after the other, so that each reads what the last one has recorded.
const takeTurn = statement('select from changes_forgotten for update')

/**
 * Processes compare the recorded transaction id with the oldest transaction that they had not seen the end of. Rows as new
 * as any transaction that is still running stay: recorded, they would make every process invalidate everything at each check.
 */
const prune = statement<{ row: { pruned: number } }>(
  `with gone as (
     delete from changes where ctid = any(array(
       select ctid from changes
       where at < now() - interval '10 minutes' and xid < pg_snapshot_xmin(pg_current_snapshot())
       order by at limit ${STEP}))
     returning xid
   ), noted as (
     update changes_forgotten set until = highest.xid from (select max(xid) as xid from gone) highest
     where highest.xid > until)
   select count(*)::integer as pruned from gone`,
)

/** Effect: prunes invalidations after ten minutes. A process that has not checked for so long invalidates everything. */
export async function pruneInvalidations(ctx: Ctx): Promise<void> {
  let pruned = STEP
  while (pruned === STEP) {
    pruned = await ctx.write(async ({ db }) => {
      await takeTurn(db)
      const [row] = await prune(db)
      return row!.pruned
    })
  }
}
