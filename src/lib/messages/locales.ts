import { acceptedLanguages } from '../accept-language.ts'

/** Languages of pages, mails and web push (BCP 47). English is complete; the others fall back to it per message. */
export const LOCALES = ['en', 'ar', 'de', 'es'] as const

export type Locale = (typeof LOCALES)[number]

const RIGHT_TO_LEFT: readonly Locale[] = ['ar']

/** Returns the base direction of text in a language, for the HTML attribute `dir`. */
export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(locale) ? 'rtl' : 'ltr'
}

/** Returns the catalogue of a language tag by its primary subtag, or null if there is none. */
function findLocale(tag: string): Locale | null {
  const [language = ''] = tag.toLowerCase().split(/[-_]/)
  return LOCALES.find((locale) => locale === language) ?? null
}

/**
 * Returns the first language with a catalogue: the requested one in the URL, the user's setting, those of the header
 * `Accept-Language` by their weights, the default of the server.
 */
export function selectLocale({
  requested,
  setting,
  acceptLanguage,
  serverDefault,
}: {
  requested?: string | null | undefined
  setting?: string | null | undefined
  acceptLanguage?: string | undefined
  serverDefault: Locale
}): Locale {
  for (const tag of [requested, setting, ...acceptedLanguages(acceptLanguage)]) {
    const locale = tag ? findLocale(tag) : null
    if (locale) return locale
  }
  return serverDefault
}
