import { locale } from './messages.ts'

/** Creates a formatter when it is first used. */
function once<Formatter>(create: () => Formatter): () => Formatter {
  let formatter: Formatter | undefined
  return () => (formatter ??= create())
}

const compact = once(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 }))
const exact = once(() => new Intl.NumberFormat(locale))
// German's narrow minutes are an `m`, like metres.
const ageStyle = locale.startsWith('de') ? 'short' : 'narrow'
const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: ageStyle }))
const present = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: ageStyle }))
const distance = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }))
const languages = once(() => new Intl.DisplayNames(locale, { type: 'language' }))
const day = once(() => createDateFormat({ day: 'numeric', month: 'short' }))
const dayWithYear = once(() => createDateFormat({ day: 'numeric', month: 'short', year: 'numeric' }))
const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent' }))
const date = once(() => createDateFormat({ dateStyle: 'medium' }))
const full = once(() => createDateFormat({ dateStyle: 'long', timeStyle: 'short' }))

/**
 * Creates a format for dates of the region that the browser prefers for the language of the client, such as `en-GB` for
 * English: the order of day and month and the clock differ between regions. Digits and calendar are those of the texts.
 */
export function createDateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const region = navigator.languages.find((tag) => tag.split('-', 1)[0] === locale) ?? locale
  const { numberingSystem } = exact().resolvedOptions()
  return new Intl.DateTimeFormat(region, { ...options, numberingSystem, calendar: 'gregory' })
}

/** `1.2K`. */
export const formatCount = (count: number): string => compact().format(count)

/** `1,234`. */
export const formatNumber = (count: number): string => exact().format(count)

/** `45%`, of a number from 0 to 1. */
export const formatPercent = (part: number): string => percent().format(part)
/** `14 May 2026`. */
export const formatDay = (time: Date): string => date().format(time)

/** `14 May 2026 at 12:00`. */
export const formatFullTime = (time: Date): string => full().format(time)

const FULL_UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `in 2 hours`. */
export function formatDistance(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000
  const [unit, length] = FULL_UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return distance().format(Math.round(seconds / length), unit)
}

/** `German` for `de`; the code itself for an unknown language. */
export function formatLanguage(code: string): string {
  try {
    return languages().of(code) ?? code
  } catch {
    return code
  }
}

/** `3 days`: a duration of minutes, hours or days, rounded up in the largest unit of which it has at least one. */
export function formatDuration(seconds: number): string {
  const [unit, size] =
    seconds >= 86_400
      ? (['day', 86_400] as const)
      : seconds >= 3_600
        ? (['hour', 3_600] as const)
        : (['minute', 60] as const)
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(seconds / size))
}

/**
 * The age of a time for a list: `now` for a minute, since ages change each minute, then minutes, hours, days and the date.
 * A time in the future is `now`: the clock of the device is behind that of the server.
 */
export function formatAge(time: Date, now: Date): string {
  const seconds = Math.min(0, Math.round((time.getTime() - now.getTime()) / 1000))
  const age = -seconds
  if (age < 60) return present().format(0, 'second')
  if (age < 3_600) return relative().format(Math.trunc(seconds / 60), 'minute')
  if (age < 86_400) return relative().format(Math.trunc(seconds / 3_600), 'hour')
  if (age < 7 * 86_400) return relative().format(Math.trunc(seconds / 86_400), 'day')
  return (time.getFullYear() === now.getFullYear() ? day() : dayWithYear()).format(time)
}

/**
 * Creates the formatters of posts while the browser waits for the server. The first formatter of a window takes the
 * browser some 20 ms, on a phone a multiple, because it loads the data of the language.
 */
export function prepareFormats(): void {
  for (const prepare of [compact, exact, relative]) prepare()
}
