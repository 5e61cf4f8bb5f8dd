import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { filterStatus } from '../../filters/filter-status.ts'
import { createFilter, updateFilter } from '../../filters/write-filter.ts'
import type { ExportedFilter } from '../exports/export-filters.ts'

const findFilter = statement<{
  params: { accountId: string; title: string }
  row: { id: string; keywords: string[]; statuses: string[] }
  notNull: 'keywords' | 'statuses'
}>(
  `select f.id, array(select keyword from filter_keywords where filter_id = f.id) as keywords,
     array(select status_id::text from filter_statuses where filter_id = f.id) as statuses
   from filters f where f.account_id = $accountId and f.title = $title order by f.id limit 1`,
)

/** Creates the filter of a row, or extends and updates the one with the same title. @throws RequestError */
export async function saveFilter(
  tx: Tx,
  { accountId, cells, targetIds }: { accountId: string; cells: readonly string[]; targetIds: readonly string[] },
): Promise<void> {
  const entry = JSON.parse(cells[0]!) as ExportedFilter
  const { title, context: contexts, action, keywords_attributes: keywords } = entry
  const [found] = await findFilter(tx.db, { accountId, title })
  const attributes = {
    title,
    contexts,
    action: action as 'warn' | 'hide' | 'blur',
    expiresInSeconds: secondsUntil(entry.expires_at, tx.now),
    keywords: keywords
      .filter(({ keyword }) => !found?.keywords.includes(keyword))
      .map(({ keyword, whole_word: wholeWord }) => ({ keyword, wholeWord })),
  }
  if (found) await updateFilter(tx, { accountId, id: found.id, attributes })
  const filterId = found?.id ?? (await createFilter(tx, { accountId, attributes }))
  for (const statusId of new Set(targetIds)) {
    if (!found?.statuses.includes(statusId)) await filterStatus(tx, { accountId, filterId, statusId })
  }
}

/** Returns the seconds until a filter expires, negative if it has expired; 0: it does not expire. */
function secondsUntil(expiresAt: string | null, now: Date): number {
  if (expiresAt === null) return 0
  return (Date.parse(expiresAt) - now.getTime()) / 1000 || -1
}
