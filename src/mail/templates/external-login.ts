import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Informs a user that a log-in with a provider was added to their account. `url`: the page on which they unlink it. */
export function externalLoginMail({
  locale,
  site,
  username,
  provider,
  url,
}: {
  locale: Locale
  site: string
  username: string
  /** The name of the provider. */
  provider: string
  url: string
}): RenderedMail {
  const title = message(locale, 'mail.external-login.title')
  return layOut({
    locale,
    subject: `${title} (${site})`,
    site,
    title,
    paragraphs: [
      message(locale, 'mail.external-login.text', { account: `@${username}`, site, provider }),
      message(locale, 'mail.two-factor.you'),
    ],
    action: { text: message(locale, 'mail.password-changed.action'), url },
    note: message(locale, 'mail.external-login.note'),
  })
}
