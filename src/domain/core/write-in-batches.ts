import type { Ctx, Tx } from '../context.ts'

/**
 * Processes many rows in the order of their ids, a batch in each transaction. `work` processes the rows after an id and
 * returns the last id of its batch, or undefined (null) after the last batch.
 */
export async function writeInBatches(
  ctx: Ctx,
  work: (tx: Tx, after: string) => Promise<string | null | undefined>,
): Promise<void> {
  let after: string | null | undefined = '0'
  while (after != null) {
    const from: string = after
    after = await ctx.write(async (tx) => work(tx, from))
  }
}
