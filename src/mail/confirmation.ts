import { CONFIRMATION_DAYS, confirmationToken } from '../domain/accounts/confirm.ts'
import { pendingEmail } from '../domain/accounts/pending-email.ts'
import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { confirmationLetter } from './templates/account.ts'

/** Writes the letter with the confirmation link, once for each time that it was asked for. */
export async function mailConfirmation(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const person = await ctx.db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select([
      'u.id',
      'u.email',
      'u.unconfirmed_email',
      'u.email_change_requested_at',
      'u.confirmed_at',
      'u.confirmation_sent_at',
      'u.approved',
      'a.username',
    ])
    .where('u.account_id', '=', accountId)
    .executeTakeFirst()
  if (!person?.confirmation_sent_at) return
  const newEmail = pendingEmail(person, { now: ctx.now() })
  if (person.confirmed_at !== null && newEmail === null) return
  const email = newEmail ?? person.email
  const confirmation = { userId: person.id, email, sentAt: person.confirmation_sent_at }
  const url = new URL('/auth/confirmation', ctx.config.origin)
  url.searchParams.set('confirmation_token', confirmationToken(ctx.secrets, confirmation))
  const letter = confirmationLetter({
    site: ctx.config.localDomain,
    username: person.username,
    url: url.href,
    days: CONFIRMATION_DAYS,
    change: person.confirmed_at !== null,
    approved: person.approved,
  })
  const key = `confirmation:${person.id}:${confirmation.sentAt.getTime()}`
  await ctx.write((tx) => writeMail(tx, { key, recipient: email, ...letter }))
}
