import { ARCHIVE_RETENTION_DAYS } from '../../domain/transfers/archives/account-archives.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Informs a user that their archive can be downloaded. `url`: the page of exports. */
export function archiveMail({ locale, site, url }: { locale: Locale; site: string; url: string }): RenderedMail {
  return layOut({
    locale,
    subject: message(locale, 'mail.archive.subject', { site }),
    site,
    title: message(locale, 'mail.archive.title'),
    paragraphs: [message(locale, 'mail.archive.text', { days: ARCHIVE_RETENTION_DAYS })],
    action: { text: message(locale, 'mail.archive.go'), url },
    note: message(locale, 'mail.archive.note'),
  })
}
