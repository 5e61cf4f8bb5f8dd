import { api } from '../../../lib/session.ts'
import type { Account, CustomEmoji } from '../../../lib/api/entities.ts'
import { clientSettings } from '../../../lib/settings.ts'
import { searchEmojis } from '../../emojis/custom-emojis.ts'
import { completeUnicodeEmojis, withTone } from '../../emojis/unicode-emojis.ts'
import type { EmojiRow } from '../../emojis/unicode-emojis.ts'
import type { Token } from './completion.ts'

/** A proposal to complete a word. `word` replaces it. `url`: the picture of a custom emoji. */
export type Suggestion =
  | { type: 'mention'; word: string; account: Account }
  | { type: 'hashtag'; word: string; uses: number }
  | { type: 'emoji'; word: string; name: string; url?: string }

const LIMIT = 6
/** The places that custom emojis leave to those of Unicode. */
const MIN_UNICODE_EMOJIS = 2

/** The emojis of the server, and those of Unicode by group, as far as they are loaded. */
export interface EmojiTables {
  custom: readonly CustomEmoji[]
  unicode: readonly EmojiRow[][]
}

/** Returns proposals for a word, the best first. */
export async function findSuggestions(
  { type, query }: Pick<Token, 'type' | 'query'>,
  emojis: EmojiTables,
): Promise<Suggestion[]> {
  switch (type) {
    case 'mention': {
      const accounts = await api().v1.accounts.search.list({ q: query, limit: LIMIT, resolve: false })
      return (accounts as unknown as Account[]).map((account) => ({ type, word: `@${account.acct}`, account }))
    }
    case 'hashtag': {
      const { hashtags } = await api().v2.search.list({ q: query, type: 'hashtags', limit: LIMIT })
      return hashtags.map(({ name, history }) => ({
        type,
        word: `#${name}`,
        uses: (history ?? []).reduce((sum, day) => sum + Number(day.uses), 0),
      }))
    }
    case 'emoji':
      return findEmojis(query, emojis)
  }
}

/** Returns custom emojis, then those of Unicode, whose names have spaces where their codes have underscores. */
function findEmojis(query: string, { custom, unicode }: EmojiTables): Suggestion[] {
  const { skinTone } = clientSettings.get()
  const found = completeUnicodeEmojis(unicode, query.replaceAll('_', ' ')).slice(0, LIMIT)
  const codes = searchEmojis(custom, query).slice(0, LIMIT - Math.min(found.length, MIN_UNICODE_EMOJIS))
  return [
    ...codes.map(({ shortcode, staticUrl }): Suggestion => {
      const word = `:${shortcode}:`
      return { type: 'emoji', word, name: word, url: staticUrl }
    }),
    ...found.map((row): Suggestion => ({ type: 'emoji', word: withTone(row, skinTone), name: row[1] })),
  ].slice(0, LIMIT)
}
