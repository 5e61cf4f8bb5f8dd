import { api } from '../../../lib/session.ts'
import type { Account, CustomEmoji } from '../../../lib/api/entities.ts'
import { searchEmojis } from '../../emojis/custom-emojis.ts'
import type { Token } from './completion.ts'

/** A proposal to complete a word. `word` replaces it. */
export type Suggestion =
  | { type: 'mention'; word: string; account: Account }
  | { type: 'hashtag'; word: string; uses: number }
  | { type: 'emoji'; word: string; emoji: CustomEmoji }

const LIMIT = 6

/** Returns proposals for a word, the best first. */
export async function findSuggestions(
  { type, query }: Pick<Token, 'type' | 'query'>,
  { emojis }: { emojis: readonly CustomEmoji[] },
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
      return searchEmojis(emojis, query)
        .slice(0, LIMIT)
        .map((emoji) => ({ type, word: `:${emoji.shortcode}:`, emoji }))
  }
}
