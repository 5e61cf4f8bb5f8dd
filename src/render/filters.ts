import type { Read } from '../domain/context.ts'
import type { Filter, FilterKeyword, FilterStatus, V1Filter } from '../entities/filter.ts'
import { NotFound } from '../lib/errors.ts'
import { loadFilters } from './load-filters.ts'
import type { FilterFacts, KeywordFacts } from './load-filters.ts'

/** A filter without what it looks for. */
export function presentFilter(facts: FilterFacts): Filter {
  return {
    id: facts.id,
    title: facts.title,
    context: facts.contexts,
    expires_at: facts.expires_at === null ? null : new Date(facts.expires_at).toISOString(),
    filter_action: facts.action,
  }
}

function presentWhole(facts: FilterFacts): Filter & { keywords: FilterKeyword[]; statuses: FilterStatus[] } {
  return { ...presentFilter(facts), keywords: facts.keywords ?? [], statuses: facts.statuses ?? [] }
}

/** All the filters of a person, the expired ones as well, with what they look for. */
export async function renderFilters(read: Read, { accountId }: { accountId: string }): Promise<Filter[]> {
  return (await loadFilters(read, { accountId })).map(presentWhole)
}

/** One filter of a person, with what it looks for. @throws NotFound also for somebody else's */
export async function renderFilter(
  read: Read,
  { accountId, id }: { accountId: string; id: string },
): Promise<ReturnType<typeof presentWhole>> {
  const [facts] = await loadFilters(read, { accountId, id })
  if (!facts) throw new NotFound()
  return presentWhole(facts)
}

/** All the filters of a person as the first version of the API knows them: one for each keyword. */
export async function renderPhrases(read: Read, { accountId }: { accountId: string }): Promise<V1Filter[]> {
  const filters = await loadFilters(read, { accountId })
  return filters.flatMap((facts) => (facts.keywords ?? []).map((keyword) => presentPhrase({ facts, keyword })))
}

/** One keyword of the filter `filterId` in that form. @throws NotFound also for somebody else's */
export async function renderPhrase(
  read: Read,
  { accountId, filterId, keywordId }: { accountId: string; filterId: string; keywordId: string },
): Promise<V1Filter> {
  const [facts] = await loadFilters(read, { accountId, id: filterId })
  const keyword = facts?.keywords?.find(({ id }) => id === keywordId)
  if (!facts || !keyword) throw new NotFound()
  return presentPhrase({ facts, keyword })
}

function presentPhrase({ facts, keyword }: { facts: FilterFacts; keyword: KeywordFacts }): V1Filter {
  const { context, expires_at } = presentFilter(facts)
  return {
    id: keyword.id,
    phrase: keyword.keyword,
    context,
    whole_word: keyword.whole_word,
    expires_at,
    irreversible: facts.action === 'hide',
  }
}
