import type { Locale } from '../../../lib/messages/locales.ts'

/**
 * The formats of numbers and times in one language. Constructing them is slow, so they are created once per language.
 */
type Formats = {
  number: Intl.NumberFormat
  compact: Intl.NumberFormat
  percent: Intl.NumberFormat
  relative: Intl.RelativeTimeFormat
  /** Times are in UTC, since pages without scripts cannot know the time zone of the user. */
  full: Intl.DateTimeFormat
  day: Intl.DateTimeFormat
  dayAndYear: Intl.DateTimeFormat
  month: Intl.DateTimeFormat
  /** Names of languages. */
  languages: Intl.DisplayNames
}

const formatsByLocale = new Map<Locale, Formats>()

/** Returns the formats of one language. */
export function formatsFor(locale: Locale): Formats {
  let formats = formatsByLocale.get(locale)
  if (!formats) formatsByLocale.set(locale, (formats = makeFormats(locale)))
  return formats
}

function makeFormats(locale: Locale): Formats {
  const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return {
    number: new Intl.NumberFormat(locale),
    compact: new Intl.NumberFormat(locale, { notation: 'compact' }),
    percent: new Intl.NumberFormat(locale, { style: 'percent' }),
    relative: new Intl.RelativeTimeFormat(locale, { style: 'narrow', numeric: 'auto' }),
    full: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    day: new Intl.DateTimeFormat(locale, day),
    dayAndYear: new Intl.DateTimeFormat(locale, { ...day, year: 'numeric' }),
    month: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
    languages: new Intl.DisplayNames(locale, { type: 'language' }),
  }
}
