import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

const find = statement<{ params: { warningId: string }; row: { target_account_id: string } }>(
  `select target_account_id from account_warnings where id = $warningId for key share`,
)

/** Effect: notifies an account of a moderation action. The recipient is also the sender, to hide the moderator. */
export async function notifyModerationWarning(ctx: Ctx, { warningId }: { warningId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [warning] = await find(tx.db, { warningId })
    if (!warning) return
    const { target_account_id: accountId } = warning
    await createNotifications(tx, {
      type: 'moderation_warning',
      fromAccountId: accountId,
      warningId,
      recipientIds: [accountId],
    })
  })
}
