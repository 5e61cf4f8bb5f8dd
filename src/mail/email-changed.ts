import type { Ctx } from '../domain/context.ts'
import type { Events } from '../domain/events.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { emailChangedMail } from './templates/password.ts'

/** Effect: informs a user, at their former e-mail address, that the address of their account was changed. */
export async function mailEmailChanged(
  ctx: Ctx,
  { accountId, formerEmail, newEmail, at }: Events['account.email_changed'],
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const mail = emailChangedMail({
    locale: user.locale,
    site: siteOf(ctx),
    username: user.username,
    newEmail,
    url: new URL('/about', ctx.config.origin).href,
  })
  const key = `email-changed:${user.userId}:${at}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: formerEmail, ...mail }))
}
