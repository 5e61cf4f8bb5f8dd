import { recordPasswordResetMail, PASSWORD_RESET_HOURS, passwordResetToken } from '../domain/auth/password-reset.ts'
import type { Ctx } from '../domain/context.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findRecipient, localeOfRecipient } from './find-recipient.ts'
import { passwordRemedyOf } from './password-remedy.ts'
import { siteOf } from './site-of.ts'
import { passwordChangedMail, passwordForgottenMail } from './templates/password.ts'

/** Effect: enqueues the mail with the link to reset a password, if a user has the e-mail address. */
export async function mailPasswordForgotten(ctx: Ctx, { email, at }: { email: string; at: number }): Promise<void> {
  const sentAt = new Date(at)
  await ctx.write(async (tx) => {
    const user = await recordPasswordResetMail(tx, { email, sentAt })
    if (!user) return
    const url = new URL('/auth/password/edit', ctx.config.origin)
    url.searchParams.set('reset_password_token', passwordResetToken(ctx.secrets, { userId: user.userId, sentAt }))
    const mail = passwordForgottenMail({
      locale: localeOfRecipient(ctx, user),
      site: siteOf(ctx),
      username: user.username,
      url: url.href,
      hours: PASSWORD_RESET_HOURS,
    })
    await enqueueMail(tx, { key: user.key, recipient: user.email, ...mail })
  })
}

/** Effect: informs a user that their password was changed. */
export async function mailPasswordChanged(
  ctx: Ctx,
  { accountId, at }: { accountId: string; at: number },
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const { locale, username } = user
  const mail = passwordChangedMail({ locale, site: siteOf(ctx), username, ...passwordRemedyOf(ctx) })
  const key = `password-changed:${user.userId}:${at}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: user.email, ...mail }))
}
