import { statement } from '../../../platform/db/statement.ts'
import type { CachedRead } from '../../context.ts'
import { recommendableAccount } from '../lookup/recommendable-account.ts'
import { combineSources, generalSources, IS_SUPPRESSED, readFeatured } from './suggestion-sources.ts'
import type { SuggestionSource } from './suggestion-sources.ts'

/** `sources`: those that do not depend on a viewer. */
export interface GeneralSuggestionRow {
  id: string
  sources: Extract<SuggestionSource, 'featured' | 'most_interactions' | 'most_followed'>[]
}

const selectGeneral = statement<{
  params: { featured: readonly string[]; id: string | null; limit: number; offset: number }
  row: GeneralSuggestionRow
}>(
  `with ${generalSources(() => 'false')},
   ${combineSources([
     ['featured', 'featured'],
     ['interactions', 'most_interactions'],
     ['popular', 'most_followed'],
   ])}
   select a.id, c.sources
   from candidate c join accounts a on a.id = c.id left join users u on u.account_id = a.id
   where ${recommendableAccount()} and not ${IS_SUPPRESSED} and ($id::bigint is null or a.id = $id)
   order by c.priority, c.score desc, a.id desc limit $limit::int offset $offset::int`,
)

/**
 * Returns the accounts that are suggested to all users, in the order of `listSuggestions`, but without the sources and
 * the exclusions of a viewer. `id`: only this account.
 */
export async function listGeneralSuggestions(
  read: CachedRead,
  { id = null, limit, offset }: { id?: string | null; limit: number; offset: number },
): Promise<GeneralSuggestionRow[]> {
  if (limit === 0) return []
  return selectGeneral(read.db, { featured: await readFeatured(read), id, limit, offset })
}
