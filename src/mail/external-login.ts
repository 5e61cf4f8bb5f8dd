import type { Ctx } from '../domain/context.ts'
import type { Events } from '../domain/events.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { findRecipient } from './find-recipient.ts'
import { siteOf } from './site-of.ts'
import { externalLoginMail } from './templates/external-login.ts'

/** Effect: informs a user that their account can be used with a provider of external log-ins, too. */
export async function mailExternalLogin(
  ctx: Ctx,
  { accountId, provider, at }: Events['account.external_login_linked'],
): Promise<void> {
  const user = await findRecipient(ctx, { accountId })
  if (!user) return
  const { locale, username } = user
  const mail = externalLoginMail({
    locale,
    site: siteOf(ctx),
    username,
    provider: ctx.externalLogins.providers.find(({ name }) => name === provider)?.displayName ?? 'LDAP',
    url: new URL('/settings/external_logins', ctx.config.origin).href,
  })
  const key = `external-login:${provider}:${user.userId}:${at}`
  await ctx.write((tx) => enqueueMail(tx, { key, recipient: user.email, ...mail }))
}
