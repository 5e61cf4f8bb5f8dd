import { isolateDirectionOfText } from '../../lib/html/html.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Informs a user of a log-in from a new network. `url`: of the list of sessions. */
export function newLoginMail(input: {
  locale: Locale
  site: string
  username: string
  at: Date
  ip: string | null
  browser: string
  url: string
}): RenderedMail {
  const { locale, site, username, at, ip, browser, url } = input
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return layOut({
    locale,
    subject: message(locale, 'mail.new-login.subject', { site }),
    site,
    title: message(locale, 'mail.new-login.title'),
    paragraphs: [
      message(locale, 'mail.new-login.text', { account: `@${username}`, site }),
      message(locale, 'mail.new-login.you'),
    ],
    // Otherwise, a text from right to left would show the groups of an IPv6 address in the wrong order.
    quote: [`${time.format(at)} UTC`, browser, ...(ip === null ? [] : [isolateDirectionOfText(ip)])].join('\n'),
    action: { text: message(locale, 'mail.new-login.action'), url },
    note: message(locale, 'mail.new-login.note'),
  })
}
