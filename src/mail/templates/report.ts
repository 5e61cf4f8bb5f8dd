import type { Locale } from '../../lib/messages/locales.ts'
import { message } from '../../lib/messages/message.ts'
import { layOut } from './layout.ts'
import type { RenderedMail } from './layout.ts'

const CATEGORIES = ['spam', 'legal', 'violation', 'other'] as const

/** Informs the staff of a report. */
export function reportMail(input: {
  locale: Locale
  site: string
  /** The handle of the reported account. */
  target: string
  /** The handle of the reporting account; null: the recipient must not know it. */
  reporter: string | null
  category: string
  rules: readonly string[]
  /** How many posts and collections were reported. */
  posts: number
  collections: number
  comment: string
  url: string
}): RenderedMail {
  const { locale, site, target, reporter, category, rules, posts, collections, comment, url } = input
  const known = CATEGORIES.find((one) => one === category)
  return layOut({
    locale,
    subject: message(locale, 'mail.report.subject', { target: `@${target}`, site }),
    site,
    title: message(locale, 'mail.report.title'),
    paragraphs: [
      reporter === null
        ? message(locale, 'mail.report.text-anonymous', { target: `@${target}`, site })
        : message(locale, 'mail.report.text', { reporter: `@${reporter}`, target: `@${target}`, site }),
      ...(known ? [message(locale, `mail.report.category.${known}`)] : []),
      ...(rules.length > 0 ? [message(locale, 'mail.report.rules', { rules: rules.join(' · ') })] : []),
      ...(posts > 0 ? [message(locale, 'mail.report.posts', { count: posts })] : []),
      ...(collections > 0 ? [message(locale, 'mail.report.collections', { count: collections })] : []),
      message(locale, comment === '' ? 'mail.report.no-comment' : 'mail.report.comment'),
    ],
    quote: comment === '' ? null : comment,
    action: { text: message(locale, 'mail.go', { site }), url },
    note: message(locale, 'mail.report.note', { site }),
  })
}
