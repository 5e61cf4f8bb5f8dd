import { ForbiddenError, NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import { readSignUpSettings } from '../../accounts/registration/read-sign-up-settings.ts'
import type { Ctx } from '../../context.ts'
import { followAccount } from './follow-account.ts'

const find = statement<{
  params: { accountId: string; usernames: readonly string[] }
  row: { id: string }
}>(
  `select target.id from accounts a join users u on u.account_id = a.id
     join accounts target on lower(target.username) = any($usernames::text[]) and target.domain is null
   where a.id = $accountId and ${usableAccount()} and target.id <> a.id order by target.id`,
)

/**
 * Effect: a new user follows the accounts of the setting `bootstrap-timeline-accounts` as soon as the user is confirmed
 * and approved. A locked account gets a follow request.
 */
export async function followBootstrapAccounts(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const { bootstrapAccounts } = await readSignUpSettings({ db: ctx.db, config: ctx.config })
  if (bootstrapAccounts.length === 0) return
  const usernames = bootstrapAccounts.map((name) => name.toLowerCase())
  for (const { id } of await find(ctx.db, { accountId, usernames })) {
    await ctx
      .write((tx) => followAccount(tx, { accountId, targetAccountId: id }))
      .catch((err: unknown) => {
        // The account has moved, was suspended, or has blocked the user.
        if (!(err instanceof ForbiddenError || err instanceof NotFoundError || err instanceof UnprocessableError))
          throw err
      })
  }
}
