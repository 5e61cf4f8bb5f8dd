import type { Ctx } from '../domain/context.ts'
import type { Events } from '../domain/events.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findRecipient } from './find-recipient.ts'
import { passwordRemedyOf } from './password-remedy.ts'
import { siteOf } from './site-of.ts'
import { secondFactorFailedMail, twoFactorChangedMail } from './templates/two-factor.ts'

/** Effect: informs a user of a change of their second factors. */
export async function mailTwoFactorChange(
  ctx: Ctx,
  { accountId, change, at }: Events['account.two_factor_changed'],
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const { locale, username } = user
  const site = siteOf(ctx)
  const { origin, singleSignOn } = ctx.config
  // With log-ins by providers only, nobody sets a password here.
  const remedy = singleSignOn.only ? 'end-sessions' : 'new-password'
  const url = new URL(remedy === 'end-sessions' ? '/settings/sessions' : '/auth/password/new', origin).href
  const mail = twoFactorChangedMail({ locale, site, username, url, remedy, change })
  const key = `two-factor:${change}:${user.userId}:${at}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: user.email, ...mail }))
}

/** Effect: warns a user of a log-in that was refused only because of the second factor. */
export async function mailSecondFactorFailure(
  ctx: Ctx,
  { accountId, firstFactor, at }: Events['account.second_factor_failed'],
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const { locale, username } = user
  const facts = { locale, site: siteOf(ctx), username, ...passwordRemedyOf(ctx) }
  const mail = secondFactorFailedMail({ ...facts, firstFactor })
  const key = `second-factor-failed:${user.userId}:${at}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: user.email, ...mail }))
}
