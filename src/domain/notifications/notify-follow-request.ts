import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

const find = statement<{ params: { accountId: string; targetAccountId: string }; row: { id: string } }>(
  `select id from follow_requests where account_id = $accountId and target_account_id = $targetAccountId for key share`,
)

/** Effect: tells somebody who is asked for a follow, unless that is answered or taken back already. */
export async function notifyFollowRequest(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const requests = await find(tx.db, { accountId, targetAccountId })
    const recipientIds = requests.map(() => targetAccountId)
    await notify(tx, { kind: 'follow_request', fromAccountId: accountId, recipientIds })
  })
}
