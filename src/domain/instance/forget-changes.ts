import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

/** So many go in one transaction. */
const STEP = 20_000

// One at a time, so that each sees what the last one has noted.
const takeTurn = statement('select from changes_forgotten for update')

/**
 * What is noted is compared with the oldest transaction that a process had not seen the end of. So what is as new as
 * anything that is still under way stays: noted, it would tell every process at every look that it has missed something.
 */
const forget = statement<{ row: { forgotten: number } }>(
  `with gone as (
     delete from changes where ctid = any(array(
       select ctid from changes
       where at < now() - interval '10 minutes' and xid < pg_snapshot_xmin(pg_current_snapshot())
       order by at limit ${STEP}))
     returning xid
   ), noted as (
     update changes_forgotten set until = highest.xid from (select max(xid) as xid from gone) highest
     where highest.xid > until)
   select count(*)::integer as forgotten from gone`,
)

/** Effect: forgets changes after ten minutes. Whoever has not looked for so long takes everything for changed. */
export async function forgetChanges(ctx: Ctx): Promise<void> {
  let forgotten = STEP
  while (forgotten === STEP) {
    forgotten = await ctx.write(async ({ db }) => {
      await takeTurn(db)
      const [row] = await forget(db)
      return row!.forgotten
    })
  }
}
