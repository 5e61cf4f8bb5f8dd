import { EMAIL_CHANGE_DAYS } from '../domain/accounts/email/pending-email.ts'
import type { Ctx } from '../domain/context.ts'
import type { Events } from '../domain/events.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { emailChangeMail } from './templates/password.ts'

/** Effect: informs a user, at their current address, that a change was requested, even if it has been confirmed since. */
export async function mailEmailChange(
  ctx: Ctx,
  { accountId, email, newEmail, at }: Events['account.email_change_requested'],
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const mail = emailChangeMail({
    locale: user.locale,
    site: siteOf(ctx),
    username: user.username,
    newEmail,
    url: new URL('/auth/edit', ctx.config.origin).href,
    days: EMAIL_CHANGE_DAYS,
  })
  const key = `email-change:${user.userId}:${at}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: email, ...mail }))
}
