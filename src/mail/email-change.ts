import { EMAIL_CHANGE_DAYS } from '../domain/accounts/pending-email.ts'
import type { Ctx } from '../domain/context.ts'
import type { Events } from '../domain/events.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { findAddressee } from './find-recipient.ts'
import { emailChangeLetter } from './templates/password.ts'

/** Tells somebody at the address that they have that their account is to have another one, also if it has by now. */
export async function mailEmailChange(
  ctx: Ctx,
  { accountId, email, newEmail, at }: Events['account.email_change_asked'],
): Promise<void> {
  const person = await findAddressee(ctx, { accountId })
  if (!person) return
  const letter = emailChangeLetter({
    site: ctx.config.localDomain,
    username: person.username,
    newEmail,
    url: new URL('/auth/edit', ctx.config.origin).href,
    days: EMAIL_CHANGE_DAYS,
  })
  const key = `email-change:${person.userId}:${at}`
  await ctx.write((tx) => writeMail(tx, { key, recipient: email, ...letter }))
}
