import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

// Locks the original before the reblog, in the same order as its deletion, which cascades to the reblogs.
const find = statement<{ params: { reblogId: string }; row: { author_id: string } }>(
  `select o.account_id as author_id from statuses reblog join statuses o on o.id = reblog.reblog_of_id
   where reblog.id = $reblogId and reblog.deleted_at is null and o.deleted_at is null for key share of o, reblog`,
)

/** Effect: notifies the author of a reblog, unless it has been undone. */
export async function notifyReblog(
  ctx: Ctx,
  { accountId, statusId, reblogId }: { accountId: string; statusId: string; reblogId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const recipientIds = (await find(tx.db, { reblogId })).map((row) => row.author_id)
    await createNotifications(tx, { type: 'reblog', fromAccountId: accountId, statusId, recipientIds })
  })
}
