import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

const find = statement<{ params: { accountId: string; targetAccountId: string }; row: { id: string } }>(
  `select id from follows where account_id = $accountId and target_account_id = $targetAccountId for key share`,
)

/** Effect: tells somebody who is followed now, unless the follow has ended already. */
export async function notifyFollow(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const follows = await find(tx.db, { accountId, targetAccountId })
    const recipientIds = follows.map(() => targetAccountId)
    await notify(tx, { kind: 'follow', fromAccountId: accountId, recipientIds })
  })
}
