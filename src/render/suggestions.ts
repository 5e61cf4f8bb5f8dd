import type { Suggested, SuggestionSource } from '../domain/accounts/suggestions.ts'
import type { Read } from '../domain/context.ts'
import type { Suggestion } from '../entities/account.ts'
import { jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { renderAccountMap } from './accounts.ts'

/** What older clients know of a source. */
const OLD_SOURCES: Record<SuggestionSource, Suggestion['source']> = {
  friends_of_friends: 'past_interactions',
  similar_to_recently_followed: 'past_interactions',
  most_interactions: 'global',
  most_followed: 'global',
}

/** Suggestions in the order given. */
export async function renderSuggestions(
  read: Read,
  { suggested, viewerId }: { suggested: readonly Suggested[]; viewerId: string },
): Promise<Json<Suggestion>[]> {
  const accounts = await renderAccountMap(read, { ids: suggested.map((one) => one.id), viewerId })
  return suggested.flatMap(({ id, sources }) => {
    const account = accounts.get(id)
    const [first] = sources
    if (account === undefined || first === undefined) return []
    return [jsonObject<Suggestion>({ source: toJson(OLD_SOURCES[first]), sources: toJson([...sources]), account })]
  })
}
