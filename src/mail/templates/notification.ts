import type { MailType } from '../../domain/notifications/email-notifications.ts'
import { isolateDirectionOfText, stripDirectionOverrides } from '../../lib/html/html.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Informs a user of a notification. `text`: of the post that it is about, as plain text; null if there is none. */
export function notificationMail(input: {
  locale: Locale
  site: string
  kind: MailType
  fromName: string
  fromHandle: string
  text: string | null
  url: string
  unsubscribeUrl: string
}): RenderedMail {
  const { locale, site, kind, fromName, fromHandle, text, url, unsubscribeUrl } = input
  return layOut({
    locale,
    subject: message(locale, `mail.notification.title.${kind}`, { name: stripDirectionOverrides(fromName) }),
    site,
    title: message(locale, `mail.notification.title.${kind}`, { name: isolateDirectionOfText(fromName) }),
    paragraphs: [message(locale, 'mail.notification.from', { account: `@${fromHandle}` })],
    quote: text,
    action: { text: message(locale, 'mail.go', { site }), url },
    note: message(locale, `mail.notification.note.${kind}`),
    stop: { text: message(locale, 'mail.notification.stop'), url: unsubscribeUrl },
  })
}
