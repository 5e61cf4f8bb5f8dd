import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Shows a member of the staff that mails of the server arrive. */
export function testMail({ locale, site }: { locale: Locale; site: string }): RenderedMail {
  return layOut({
    locale,
    subject: message(locale, 'mail.test.subject', { site }),
    site,
    title: message(locale, 'mail.test.title'),
    paragraphs: [message(locale, 'mail.test.text', { site })],
    note: message(locale, 'mail.test.note'),
  })
}
