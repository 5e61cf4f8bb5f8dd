import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'

/** Days after the last confirmation mail after which an unconfirmed account is removed. */
const UNCONFIRMED_DAYS = 7

const removeUnconfirmed = statement<{ params: { before: Date } }>(
  `delete from accounts a using users u
   where u.account_id = a.id and u.confirmed_at is null and u.confirmation_sent_at < $before`,
)

/** Deletes accounts whose address was not confirmed in time, which frees their usernames and addresses. */
export async function expireSignUps(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - UNCONFIRMED_DAYS * 86_400_000)
  await ctx.write(({ db }) => removeUnconfirmed(db, { before }))
}
