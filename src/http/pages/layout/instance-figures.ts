import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'
import { figures } from './figures.ts'
import { formatsFor } from './formats.ts'

/** How many users and posts the server has. `activeMonth`: the users who were active in the last four weeks. */
export type Counts = { users: number; statuses: number; activeMonth: number }

/** The counts of the server. */
export function instanceFigures(locale: Locale, { users, statuses, activeMonth }: Counts): SafeHtml {
  const { number } = formatsFor(locale)
  return figures(message(locale, 'landing.facts'), [
    [number.format(users), message(locale, 'landing.people', { count: users })],
    [number.format(statuses), message(locale, 'landing.posts', { count: statuses })],
    [number.format(activeMonth), message(locale, 'landing.active', { count: activeMonth })],
  ])
}
