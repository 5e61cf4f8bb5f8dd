import type { Read } from '../../domain/context.ts'
import type { Filter, FilterKeyword, FilterStatus, V1Filter } from '../../entities/accounts/filter.ts'
import { entity } from '../../lib/json/entity-json.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { loadFilters } from './load-filters.ts'
import type { FilterRow, KeywordRow } from './load-filters.ts'

/** A filter with its keywords and statuses. */
type FilterWithParts = Filter & { keywords: FilterKeyword[]; statuses: FilterStatus[] }

/** Returns a filter without its keywords and statuses, as filter results contain it. */
export function filterOf(row: FilterRow): Complete<Filter> & Filter {
  return {
    id: row.id,
    title: row.title,
    context: row.contexts,
    expires_at: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    filter_action: row.action,
    keywords: undefined,
    statuses: undefined,
  }
}

function filterWithPartsOf(row: FilterRow): FilterWithParts {
  return { ...filterOf(row), keywords: row.keywords ?? [], statuses: row.statuses ?? [] }
}

/** Returns all filters of an account, including expired ones. */
export async function renderFilters(read: Read, { accountId }: { accountId: string }): Promise<Filter[]> {
  return (await loadFilters(read, { accountId })).map(filterWithPartsOf)
}

/** Returns one filter of an account. @throws NotFoundError also for a filter of another account */
export async function renderFilter(
  read: Read,
  { accountId, id }: { accountId: string; id: string },
): Promise<FilterWithParts> {
  const [row] = await loadFilters(read, { accountId, id })
  if (!row) throw new NotFoundError()
  return filterWithPartsOf(row)
}

/** Returns all filters of an account in the form of API version 1: one for each keyword. */
export async function renderV1Filters(read: Read, { accountId }: { accountId: string }): Promise<V1Filter[]> {
  const filters = await loadFilters(read, { accountId })
  return filters.flatMap((filter) => (filter.keywords ?? []).map((keyword) => v1FilterOf({ filter, keyword })))
}

/** Returns a keyword of a filter as a filter of API version 1. @throws NotFoundError also for filters of others */
export async function renderV1Filter(
  read: Read,
  { accountId, filterId, keywordId }: { accountId: string; filterId: string; keywordId: string },
): Promise<V1Filter> {
  const [filter] = await loadFilters(read, { accountId, id: filterId })
  const keyword = filter?.keywords?.find(({ id }) => id === keywordId)
  if (!filter || !keyword) throw new NotFoundError()
  return v1FilterOf({ filter, keyword })
}

function v1FilterOf({ filter, keyword }: { filter: FilterRow; keyword: KeywordRow }): V1Filter {
  const { context, expires_at } = filterOf(filter)
  return entity<V1Filter>({
    id: keyword.id,
    phrase: keyword.keyword,
    context,
    whole_word: keyword.whole_word,
    expires_at,
    irreversible: filter.action === 'hide',
  })
}
