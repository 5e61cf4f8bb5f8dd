import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

const prune = statement<{ params: { now: Date } }>(`delete from ip_blocks where expires_at <= $now`)

/** Effect: deletes expired IP blocks, which have no effect any more. */
export async function pruneIpBlocks(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => prune(tx.db, { now: tx.now }))
}
