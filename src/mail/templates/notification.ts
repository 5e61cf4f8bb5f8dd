import type { MailKind } from '../../domain/notifications/mails.ts'
import { isolateText } from '../../lib/html.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Informs a user of a notification. `words`: of the post that it is about, as plain text. */
export function notificationMail(input: {
  locale: Locale
  site: string
  kind: MailKind
  fromName: string
  fromHandle: string
  words: string | null
  url: string
  unsubscribeUrl: string
}): RenderedMail {
  const { locale, site, kind, fromName, fromHandle, words, url, unsubscribeUrl } = input
  return layOut({
    locale,
    subject: message(locale, `mail.notification.title.${kind}`, { name: fromName }),
    site,
    title: message(locale, `mail.notification.title.${kind}`, { name: isolateText(fromName) }),
    paragraphs: [message(locale, 'mail.notification.from', { account: `@${fromHandle}` })],
    quote: words,
    action: { text: message(locale, 'mail.go', { site }), url },
    note: message(locale, `mail.notification.note.${kind}`),
    stop: { text: message(locale, 'mail.notification.stop'), url: unsubscribeUrl },
  })
}
