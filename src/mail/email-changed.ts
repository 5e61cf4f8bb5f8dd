import type { Ctx } from '../domain/context.ts'
import type { Events } from '../domain/events.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { findRecipient } from './find-recipient.ts'
import { emailChangedMail } from './templates/password.ts'

/** Informs the owner of an account, at their former e-mail address, that the account has another one now. */
export async function mailEmailChanged(
  ctx: Ctx,
  { accountId, formerEmail, newEmail, at }: Events['account.email_changed'],
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const mail = emailChangedMail({
    locale: user.locale,
    site: ctx.config.localDomain,
    username: user.username,
    newEmail,
    url: new URL('/about', ctx.config.origin).href,
  })
  const key = `email-changed:${user.userId}:${at}`
  await ctx.write((tx) => writeMail(tx, { key, recipient: formerEmail, ...mail }))
}
