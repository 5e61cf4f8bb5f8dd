import type { SafeHtml } from '../../lib/html/html.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Informs a user of new terms of service. `changelog`: what has changed, in Markdown and HTML; null: not described. */
export function termsMail(input: {
  locale: Locale
  site: string
  effectiveDate: string
  effective: boolean
  changelog: { text: string; html: SafeHtml } | null
  url: string
}): RenderedMail {
  const { locale, site, effectiveDate, effective, changelog, url } = input
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const day = format.format(new Date(effectiveDate))
  return layOut({
    locale,
    subject: message(locale, 'mail.terms.subject', { site }),
    site,
    title: message(locale, 'mail.terms.title'),
    paragraphs: [
      message(locale, effective ? 'mail.terms.current' : 'mail.terms.future', { site, day }),
      message(locale, 'mail.terms.agreement', { site }),
    ],
    ...(changelog && { document: { title: message(locale, 'mail.terms.changes'), ...changelog } }),
    action: { text: message(locale, 'mail.terms.action'), url },
    note: message(locale, 'mail.terms.note', { site }),
  })
}
