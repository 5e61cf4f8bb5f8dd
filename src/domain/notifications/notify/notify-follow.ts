import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

const find = statement<{ params: { accountId: string; targetAccountId: string }; row: { id: string } }>(
  `select id from follows where account_id = $accountId and target_account_id = $targetAccountId for key share`,
)

/** Effect: notifies an account of a follower, unless the follow has ended. */
export async function notifyFollow(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const follows = await find(tx.db, { accountId, targetAccountId })
    const recipientIds = follows.map(() => targetAccountId)
    await createNotifications(tx, { type: 'follow', fromAccountId: accountId, recipientIds })
  })
}
