import { yieldToOtherJobs } from '../../platform/jobs/yield-to-other-jobs.ts'
import type { Ctx, Tx } from '../context.ts'

/**
 * Processes many rows in the order of their ids, a batch in each transaction. `work` processes the rows after an id and
 * returns the last id of its batch, or undefined (null) after the last batch. `yields`: for an effect whose batches cause
 * jobs for each of their rows. Before each batch, it yields to other jobs: the effect is postponed, and then runs again
 * from the beginning, so processed rows must not be found again.
 * @throws PostponedError if it `yields`
 */
export async function writeInBatches(
  ctx: Ctx,
  work: (tx: Tx, after: string) => Promise<string | null | undefined>,
  { yields = false }: { yields?: boolean } = {},
): Promise<void> {
  let after: string | null | undefined = '0'
  while (after != null) {
    const from: string = after
    if (yields) await yieldToOtherJobs(ctx.db)
    after = await ctx.write(async (tx) => work(tx, from))
  }
}
