/** The ways of writing numbers and times in one language. Making them is slow, so each language has one set. */
type Formats = {
  number: Intl.NumberFormat
  compact: Intl.NumberFormat
  percent: Intl.NumberFormat
  relative: Intl.RelativeTimeFormat
  /** Times are in UTC, since a page without scripts cannot know the reader's zone. */
  full: Intl.DateTimeFormat
  day: Intl.DateTimeFormat
  dayAndYear: Intl.DateTimeFormat
}

const known = new Map<string, Formats>()

/** The set for the language of a catalogue; those are few, so every set is kept. */
export function formatsFor(lang: string): Formats {
  let formats = known.get(lang)
  if (!formats) known.set(lang, (formats = makeFormats(lang)))
  return formats
}

function makeFormats(lang: string): Formats {
  const day = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
  return {
    number: new Intl.NumberFormat(lang),
    compact: new Intl.NumberFormat(lang, { notation: 'compact' }),
    percent: new Intl.NumberFormat(lang, { style: 'percent' }),
    relative: new Intl.RelativeTimeFormat(lang, { style: 'narrow', numeric: 'auto' }),
    full: new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
    day: new Intl.DateTimeFormat(lang, day),
    dayAndYear: new Intl.DateTimeFormat(lang, { ...day, year: 'numeric' }),
  }
}
