import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Informs a user that their archive can be downloaded for some days. `url`: the page of exports. */
export function archiveMail({
  locale,
  site,
  url,
  days,
}: {
  locale: Locale
  site: string
  url: string
  days: number
}): RenderedMail {
  return layOut({
    locale,
    subject: message(locale, 'mail.archive.subject', { site }),
    site,
    title: message(locale, 'mail.archive.title'),
    paragraphs: [message(locale, 'mail.archive.text', { days })],
    action: { text: message(locale, 'mail.archive.go'), url },
    note: message(locale, 'mail.archive.note'),
  })
}
