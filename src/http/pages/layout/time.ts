import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { formatsFor } from './formats.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** How long ago a time was: relative for a week, a date after that. The title has the exact time. */
export function timeAgo(locale: Locale, { at, now }: { at: Date; now: Date }): SafeHtml {
  const seconds = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 1000))
  const words = seconds < WEEK ? relative(locale, seconds) : shortDate(locale, at, now)
  return html`<time datetime="${at.toISOString()}" title="${fullTime(locale, at)}">${words}</time>`
}

/** Date and time to the minute, in UTC. */
export function fullTime(locale: Locale, at: Date): string {
  return `${formatsFor(locale).full.format(at)} UTC`
}

function relative(locale: Locale, seconds: number): string {
  const format = formatsFor(locale).relative
  if (seconds < MINUTE) return format.format(0, 'second')
  if (seconds < HOUR) return format.format(-Math.floor(seconds / MINUTE), 'minute')
  if (seconds < DAY) return format.format(-Math.floor(seconds / HOUR), 'hour')
  return format.format(-Math.floor(seconds / DAY), 'day')
}

function shortDate(locale: Locale, at: Date, now: Date): string {
  const formats = formatsFor(locale)
  return (at.getUTCFullYear() === now.getUTCFullYear() ? formats.day : formats.dayAndYear).format(at)
}
