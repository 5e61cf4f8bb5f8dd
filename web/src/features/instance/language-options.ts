import { useQuery } from '@tanstack/react-query'
import { locale } from '../../lib/i18n/messages.ts'
import { languagesQuery } from './instance.ts'

const languageNames = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })

/** Returns the languages that posts and collections may have, sorted by their names in the language of the client. */
export function useLanguageOptions(): { value: string; label: string }[] {
  const { data: languages = [] } = useQuery(languagesQuery)
  return languages
    .map(({ code, name }) => ({ value: code, label: nameOfLanguage(code) ?? name }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale))
}

/** Returns the name in the language of the interface; undefined for codes that only Mastodon has, such as `zh-YUE`. */
function nameOfLanguage(code: string): string | undefined {
  try {
    return languageNames.of(code)
  } catch {
    return undefined
  }
}
