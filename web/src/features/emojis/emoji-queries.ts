import { queryOptions } from '@tanstack/react-query'
import { locale } from '../../lib/i18n/messages.ts'
import { clientSettings } from '../../lib/settings.ts'

const MAX_RECENT = 24

const TABLES = {
  en: () => import('virtual:emojis/en'),
  de: () => import('virtual:emojis/de'),
  es: () => import('virtual:emojis/es'),
  ar: () => import('virtual:emojis/ar'),
}

/** The Unicode emojis by group, with names in the user's language. */
export const unicodeEmojisQuery = queryOptions({
  queryKey: ['unicode-emojis'],
  queryFn: async () => (await TABLES[locale]()).default,
  staleTime: Number.POSITIVE_INFINITY,
  networkMode: 'offlineFirst',
})

/** Records that the user has inserted an emoji. */
export function rememberEmoji(emoji: string): void {
  const others = clientSettings.get().recentEmojis.filter((other) => other !== emoji)
  clientSettings.change({ recentEmojis: [emoji, ...others].slice(0, MAX_RECENT) })
}
