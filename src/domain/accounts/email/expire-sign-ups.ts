import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { deleteUserMails } from '../../mails/delete-user-mails.ts'

/** Days after the last confirmation mail after which an unconfirmed account is removed. */
const UNCONFIRMED_DAYS = 7

const removeUnconfirmed = statement<{
  params: { before: Date }
  row: { userId: string; accountId: string; email: string }
}>(
  `delete from accounts a using users u
   where u.account_id = a.id and u.confirmed_at is null and u.confirmation_sent_at < $before
   returning u.id as "userId", a.id as "accountId", u.email`,
)

/** Deletes accounts whose address was not confirmed in time, with the mails to them. Frees usernames and addresses. */
export async function expireSignUps(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - UNCONFIRMED_DAYS * 86_400_000)
  await ctx.write(async (tx) => {
    const users = await removeUnconfirmed(tx.db, { before })
    if (users.length > 0) await deleteUserMails(tx, users)
  })
}
