import { findStaff } from '../domain/accounts/staff.ts'
import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { pendingLetter } from './templates/account.ts'

/** Tells those who may decide that somebody with a confirmed address waits for approval. */
export async function mailPending(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const person = await ctx.db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select(['u.id', 'u.email', 'u.sign_up_reason', 'a.username'])
    .where('u.account_id', '=', accountId)
    .where('u.confirmed_at', 'is not', null)
    .where('u.approved', '=', false)
    .executeTakeFirst()
  if (!person) return
  const letter = pendingLetter({
    site: ctx.config.localDomain,
    username: person.username,
    email: person.email,
    reason: person.sign_up_reason,
    url: ctx.config.origin,
  })
  const staff = await findStaff(ctx, { permission: 'manageUsers' })
  await ctx.write(async (tx) => {
    for (const { userId, email } of staff) {
      await writeMail(tx, { key: `pending:${person.id}:${userId}`, recipient: email, ...letter })
    }
  })
}
