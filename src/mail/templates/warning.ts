import { APPEAL_DAYS } from '../../domain/moderation/strikes/appeal-deadline.ts'
import type { WarningAction } from '../../domain/moderation/accounts/warn-account.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/**
 * Informs a user of a moderation action against their account or posts. `posts`: how many posts it is about; `url`: the
 * page of the strike.
 */
export function warningMail(input: {
  locale: Locale
  site: string
  url: string
  username: string
  action: WarningAction
  text: string
  posts: number
}): RenderedMail {
  const { locale, site, url, username, action, text, posts } = input
  const title = message(locale, `mail.warning.title.${action}`)
  return layOut({
    locale,
    subject: message(locale, 'mail.warning.subject', { title, site }),
    site,
    title,
    paragraphs: [
      message(locale, 'mail.warning.account', { account: `@${username}`, site }),
      message(locale, `mail.warning.meaning.${action}`),
      ...(posts > 0 ? [message(locale, 'mail.warning.posts', { count: posts })] : []),
      message(locale, 'mail.warning.appeal', { days: APPEAL_DAYS }),
      ...(text === '' ? [] : [message(locale, 'mail.warning.text')]),
    ],
    quote: text === '' ? null : text,
    action: { text: message(locale, 'mail.warning.go'), url },
    note: message(locale, 'mail.warning.note'),
  })
}
