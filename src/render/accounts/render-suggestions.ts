import type { SuggestionRow, SuggestionSource } from '../../domain/accounts/suggestions/suggestion-sources.ts'
import type { CachedRead } from '../../domain/context.ts'
import type { Suggestion } from '../../entities/accounts/account.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccountMap } from './render-accounts.ts'

/** The deprecated name of each source. */
const DEPRECATED_SOURCES: Record<SuggestionSource, Suggestion['source']> = {
  featured: 'staff',
  friends_of_friends: 'past_interactions',
  similar_to_recently_followed: 'past_interactions',
  most_interactions: 'global',
  most_followed: 'global',
}

/** Returns suggestions in the given order. */
export async function renderSuggestions(
  read: CachedRead,
  { suggested, viewerId }: { suggested: readonly SuggestionRow[]; viewerId: string },
): Promise<EntityJson<Suggestion>[]> {
  const accounts = await renderAccountMap(read, { ids: suggested.map(({ id }) => id), viewerId })
  return suggested.flatMap(({ id, sources }) => {
    const account = accounts.get(id)
    const [first] = sources
    if (account === undefined || first === undefined) return []
    return [entityJson<Suggestion>({ source: DEPRECATED_SOURCES[first], sources: [...sources], account })]
  })
}
