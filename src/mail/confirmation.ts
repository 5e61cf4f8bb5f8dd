import { CONFIRMATION_DAYS, confirmationToken } from '../domain/accounts/confirm.ts'
import { pendingEmail } from '../domain/accounts/pending-email.ts'
import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { localeOfRecipient } from './find-recipient.ts'
import { confirmationMail } from './templates/account.ts'

/** Effect: writes the mail with the confirmation link, once for each request. */
export async function mailConfirmation(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const user = await ctx.db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select([
      'u.id',
      'u.email',
      'u.locale',
      'u.unconfirmed_email',
      'u.email_change_requested_at',
      'u.confirmed_at',
      'u.confirmation_sent_at',
      'u.approved',
      'a.username',
    ])
    .where('u.account_id', '=', accountId)
    .executeTakeFirst()
  if (!user?.confirmation_sent_at) return
  const newEmail = pendingEmail(user, { now: ctx.now() })
  if (user.confirmed_at !== null && newEmail === null) return
  const email = newEmail ?? user.email
  const confirmation = { userId: user.id, email, sentAt: user.confirmation_sent_at }
  const url = new URL('/auth/confirmation', ctx.config.origin)
  url.searchParams.set('confirmation_token', confirmationToken(ctx.secrets, confirmation))
  const mail = confirmationMail({
    locale: localeOfRecipient(ctx, user),
    site: ctx.config.localDomain,
    username: user.username,
    url: url.href,
    days: CONFIRMATION_DAYS,
    change: user.confirmed_at !== null,
    approved: user.approved,
  })
  const key = `confirmation:${user.id}:${confirmation.sentAt.getTime()}`
  await ctx.write((tx) => writeMail(tx, { key, recipient: email, ...mail }))
}
