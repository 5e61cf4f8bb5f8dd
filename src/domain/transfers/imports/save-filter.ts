import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { filterStatuses } from '../../filters/filter-status.ts'
import { createFilter, updateFilter } from '../../filters/write-filter.ts'
import type { ExportedFilter } from '../exports/export-filters.ts'

const findFilter = statement<{
  params: { accountId: string; title: string; contexts: readonly string[] }
  row: { id: string; keywords: { keyword: string; whole_word: boolean }[] }
  notNull: 'keywords'
}>(
  `select f.id,
     (select coalesce(jsonb_agg(jsonb_build_object('keyword', k.keyword, 'whole_word', k.whole_word)), '[]')
      from filter_keywords k where k.filter_id = f.id) as keywords
   from filters f
   where f.account_id = $accountId and f.title = $title
     and f.contexts @> $contexts::text[] and f.contexts <@ $contexts::text[]
   order by f.id limit 1`,
)

/**
 * Creates the filter of a row, or extends and updates the one with the same title and contexts. Other filters with the
 * title, also of the same file, remain. @throws RequestError
 */
export async function saveFilter(
  tx: Tx,
  { accountId, cells, targetIds }: { accountId: string; cells: readonly string[]; targetIds: readonly string[] },
): Promise<void> {
  const entry = JSON.parse(cells[0]!) as ExportedFilter
  const { title, context: contexts, action, keywords_attributes: keywords } = entry
  const [found] = await findFilter(tx.db, { accountId, title, contexts })
  const present = new Set(found?.keywords.map(identityOf))
  const attributes = {
    title,
    contexts,
    action: action as 'warn' | 'hide' | 'blur',
    expiresInSeconds: secondsUntil(entry.expires_at, tx.now),
    keywords: keywords
      .filter((keyword) => !present.has(identityOf(keyword)))
      .map(({ keyword, whole_word: wholeWord }) => ({ keyword, wholeWord })),
  }
  if (found) await updateFilter(tx, { accountId, id: found.id, attributes })
  const filterId = found?.id ?? (await createFilter(tx, { accountId, attributes }))
  if (targetIds.length > 0) await filterStatuses(tx, { accountId, filterId, statusIds: targetIds })
}

/** Two keywords with the same one filter the same texts. */
function identityOf({ keyword, whole_word: wholeWord }: ExportedFilter['keywords_attributes'][number]): string {
  return JSON.stringify([keyword, wholeWord])
}

/** Returns the seconds until a filter expires, negative if it has expired; 0: it does not expire. */
function secondsUntil(expiresAt: string | null, now: Date): number {
  if (expiresAt === null) return 0
  return (Date.parse(expiresAt) - now.getTime()) / 1000 || -1
}
