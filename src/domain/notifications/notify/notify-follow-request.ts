import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

const find = statement<{ params: { accountId: string; targetAccountId: string }; row: { id: string } }>(
  `select id from follow_requests where account_id = $accountId and target_account_id = $targetAccountId for key share`,
)

/** Effect: notifies an account of a follow request, unless it has been answered or withdrawn. */
export async function notifyFollowRequest(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const requests = await find(tx.db, { accountId, targetAccountId })
    const recipientIds = requests.map(() => targetAccountId)
    await createNotifications(tx, { type: 'follow_request', fromAccountId: accountId, recipientIds })
  })
}
