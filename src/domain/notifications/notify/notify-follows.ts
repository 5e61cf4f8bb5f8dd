import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createManyNotifications } from '../create/create-notifications.ts'

const lockFollows = statement<{
  params: { accountIds: readonly string[]; targetAccountIds: readonly string[] }
  row: { account_id: string; target_account_id: string }
}>(
  `select f.account_id, f.target_account_id
   from unnest($accountIds::bigint[], $targetAccountIds::bigint[]) given (account_id, target_account_id)
     join follows f on f.account_id = given.account_id and f.target_account_id = given.target_account_id
   order by f.id for key share of f`,
)

/** Effect: notifies accounts of followers whose follows have not ended. */
export async function notifyFollows(
  ctx: Ctx,
  payloads: readonly { accountId: string; targetAccountId: string }[],
): Promise<void> {
  await ctx.write(async (tx) => {
    const follows = await lockFollows(tx.db, {
      accountIds: payloads.map(({ accountId }) => accountId),
      targetAccountIds: payloads.map(({ targetAccountId }) => targetAccountId),
    })
    await createManyNotifications(tx, {
      type: 'follow',
      notifications: follows.map((follow) => ({
        recipientId: follow.target_account_id,
        fromAccountId: follow.account_id,
      })),
    })
  })
}
