import { html } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { formatsFor } from './formats.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** How long ago, in words for a week and as a date after it; the exact time is in the title. */
export function timeAgo(lang: string, { at, now }: { at: Date; now: Date }): SafeHtml {
  const seconds = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 1000))
  const words = seconds < WEEK ? relative(lang, seconds) : shortDate(lang, at, now)
  return html`<time datetime="${at.toISOString()}" title="${fullTime(lang, at)}">${words}</time>`
}

/** Date and time to the minute, in UTC. */
export function fullTime(lang: string, at: Date): string {
  return `${formatsFor(lang).full.format(at)} UTC`
}

function relative(lang: string, seconds: number): string {
  const format = formatsFor(lang).relative
  if (seconds < MINUTE) return format.format(0, 'second')
  if (seconds < HOUR) return format.format(-Math.floor(seconds / MINUTE), 'minute')
  if (seconds < DAY) return format.format(-Math.floor(seconds / HOUR), 'hour')
  return format.format(-Math.floor(seconds / DAY), 'day')
}

function shortDate(lang: string, at: Date, now: Date): string {
  const formats = formatsFor(lang)
  return (at.getUTCFullYear() === now.getUTCFullYear() ? formats.day : formats.dayAndYear).format(at)
}
