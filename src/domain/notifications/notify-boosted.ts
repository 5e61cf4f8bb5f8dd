import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

// The boosted one first: its deletion, which takes the boost along, locks them in that order too.
const find = statement<{ params: { boostId: string }; row: { author_id: string } }>(
  `select o.account_id as author_id from statuses boost join statuses o on o.id = boost.reblog_of_id
   where boost.id = $boostId and boost.deleted_at is null and o.deleted_at is null for key share of o, boost`,
)

/** Effect: tells the author of a boost that was not taken back. */
export async function notifyBoosted(
  ctx: Ctx,
  { accountId, statusId, boostId }: { accountId: string; statusId: string; boostId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const recipientIds = (await find(tx.db, { boostId })).map((row) => row.author_id)
    await notify(tx, { kind: 'reblog', fromAccountId: accountId, statusId, recipientIds })
  })
}
