import { ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Ctx } from '../../context.ts'
import { followAccount } from './follow-account.ts'

const takePending = statement<{ params: { accountId: string }; row: { inviter_id: string } }>(
  `update invite_uses x set autofollow_pending = false
   from users u join accounts a on a.id = u.account_id, invites i join users inviter on inviter.id = i.user_id
   where a.id = $accountId and x.user_id = u.id and i.id = x.invite_id and x.autofollow_pending and ${usableAccount()}
   returning inviter.account_id as inviter_id`,
)

/**
 * Effect: a new user whose invite says so follows the inviter, once, as soon as the account is confirmed and approved.
 */
export async function followInviter(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [pending] = await takePending(tx.db, { accountId })
    if (!pending) return
    await followAccount(tx, { accountId, targetAccountId: pending.inviter_id }).catch((err: unknown) => {
      // The inviter has moved or was suspended meanwhile, or has blocked the user.
      if (!(err instanceof ForbiddenError || err instanceof NotFoundError)) throw err
    })
  })
}
