import { notePasswordLetter, PASSWORD_RESET_HOURS, passwordToken } from '../domain/auth/password-reset.ts'
import type { Ctx } from '../domain/context.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { findAddressee } from './find-recipient.ts'
import { passwordChangedLetter, passwordForgottenLetter } from './templates/password.ts'

/** Writes the letter by which a forgotten password is replaced, if the address is somebody's. */
export async function mailPasswordForgotten(ctx: Ctx, { email, at }: { email: string; at: number }): Promise<void> {
  const sentAt = new Date(at)
  await ctx.write(async (tx) => {
    const person = await notePasswordLetter(tx, { email, sentAt })
    if (!person) return
    const url = new URL('/auth/password/edit', ctx.config.origin)
    url.searchParams.set('reset_password_token', passwordToken(ctx.secrets, { userId: person.userId, sentAt }))
    const letter = passwordForgottenLetter({
      site: ctx.config.localDomain,
      username: person.username,
      url: url.href,
      hours: PASSWORD_RESET_HOURS,
    })
    await writeMail(tx, { key: person.key, recipient: person.email, ...letter })
  })
}

/** Tells somebody that their password is another one now. */
export async function mailPasswordChanged(
  ctx: Ctx,
  { accountId, at }: { accountId: string; at: number },
): Promise<void> {
  const person = await findAddressee(ctx, { accountId })
  if (!person) return
  const url = new URL('/auth/password/new', ctx.config.origin).href
  const letter = passwordChangedLetter({ site: ctx.config.localDomain, username: person.username, url })
  const key = `password-changed:${person.userId}:${at}`
  await ctx.write((tx) => writeMail(tx, { key, recipient: person.email, ...letter }))
}
