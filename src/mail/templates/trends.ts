import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

/** Asks the staff to review trends. */
export function trendsMail(input: {
  locale: Locale
  site: string
  /** Hashtags without their signs. */
  tags: readonly string[]
  /** Titles of web pages. */
  links: readonly string[]
  /** URLs of posts. */
  statuses: readonly string[]
  url: string
}): RenderedMail {
  const { locale, site, tags, links, statuses, url } = input
  return layOut({
    locale,
    subject: message(locale, 'mail.trends.subject', { site }),
    site,
    title: message(locale, 'mail.trends.title'),
    paragraphs: [message(locale, 'mail.trends.text', { site })],
    quote: [...tags.map((name) => `#${name}`), ...statuses, ...links].join('\n'),
    action: { text: message(locale, 'mail.go', { site }), url },
    note: message(locale, 'mail.trends.note', { site, command: 'bin/linnet trends list' }),
  })
}
