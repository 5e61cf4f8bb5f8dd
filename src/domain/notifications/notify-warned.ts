import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

const find = statement<{ params: { warningId: string }; row: { target_account_id: string } }>(
  `select target_account_id from account_warnings where id = $warningId for key share`,
)

/** Effect: tells somebody what the staff did about their account or posts, as if it came from themselves. */
export async function notifyWarned(ctx: Ctx, { warningId }: { warningId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [warning] = await find(tx.db, { warningId })
    if (!warning) return
    const { target_account_id: accountId } = warning
    await notify(tx, { kind: 'moderation_warning', fromAccountId: accountId, warningId, recipientIds: [accountId] })
  })
}
