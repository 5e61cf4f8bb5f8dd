import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkKeyword, checkFilterLimits } from './check-filter.ts'
import { findFilter, findKeyword } from './find-filter.ts'
import { recordFilterChange } from './record-filter-change.ts'

/** A change of one keyword of a filter. A new keyword has no id; properties that are undefined do not change. */
export interface KeywordChange {
  id?: string | undefined
  keyword?: string | undefined
  wholeWord?: boolean | undefined
  remove?: boolean | undefined
}

const insert = statement<{
  params: { filterId: string; keywords: readonly string[]; wholeWord: readonly boolean[] }
  row: { id: string }
}>(
  `insert into filter_keywords (filter_id, keyword, whole_word)
   select $filterId, keyword, whole_word from unnest($keywords::text[],
     $wholeWord::boolean[]) with ordinality as added (keyword, whole_word, place)
   order by place returning id`,
)
const update = statement<{
  params: {
    filterId: string
    ids: readonly string[]
    texts: readonly (string | null)[]
    wholeWords: readonly (boolean | null)[]
  }
  row: { id: string }
}>(
  `update filter_keywords k set keyword = coalesce(changed.keyword, k.keyword),
     whole_word = coalesce(changed.whole_word, k.whole_word)
   from unnest($ids::bigint[], $texts::text[], $wholeWords::boolean[]) as changed (id, keyword, whole_word)
   where k.filter_id = $filterId and k.id = changed.id returning k.id`,
)
const remove = statement<{ params: { filterId: string; removedIds: readonly string[] }; row: { id: string } }>(
  `delete from filter_keywords where filter_id = $filterId and id = any($removedIds::bigint[]) returning id`,
)

/**
 * Adds, changes and removes keywords of a filter whose owner has been checked. Ignores new entries without content.
 * @throws NotFoundError for a keyword of another filter; ValidationError
 */
export async function changeKeywords(
  tx: Tx,
  { filterId, changes }: { filterId: string; changes: readonly KeywordChange[] },
): Promise<void> {
  const changesById = new Map<string, KeywordChange>()
  const added: KeywordChange[] = []
  for (const change of changes) {
    if (change.id !== undefined && change.id !== '')
      changesById.set(change.id, { ...changesById.get(change.id), ...change })
    else if (change.remove !== true && (change.keyword?.trim() || change.wholeWord === true)) added.push(change)
  }
  const existing = [...changesById.values()]
  const removedIds = [...changesById].filter(([, change]) => change.remove === true).map(([id]) => id)
  const changed = existing.filter((change) => change.remove !== true)
  for (const { keyword } of changed) if (keyword !== undefined) checkKeyword(keyword)
  for (const { keyword = '' } of added) checkKeyword(keyword)
  if (![...changesById.keys()].every(isId)) throw new NotFoundError()

  const deleted = removedIds.length === 0 ? [] : await remove(tx.db, { filterId, removedIds })
  const ids = [...changesById].filter(([, change]) => change.remove !== true).map(([id]) => id)
  const texts = changed.map(({ keyword = null }) => keyword)
  const wholeWords = changed.map(({ wholeWord = null }) => wholeWord)
  const updated = changed.length === 0 ? [] : await update(tx.db, { filterId, ids, texts, wholeWords })
  if (deleted.length + updated.length < existing.length) throw new NotFoundError()
  if (added.length === 0) return
  await insert(tx.db, {
    filterId,
    keywords: added.map(({ keyword = '' }) => keyword),
    wholeWord: added.map(({ wholeWord = true }) => wholeWord),
  })
}

/**
 * Adds a keyword to a filter. Returns its id. Mastodon: POST /api/v2/filters/:filter_id/keywords
 * @throws NotFoundError also for another account's filter; ValidationError; UnprocessableError as `checkFilterLimits`
 */
export async function addKeyword(
  tx: Tx,
  {
    accountId,
    filterId,
    keyword,
    wholeWord = true,
  }: { accountId: string; filterId: string; keyword: string; wholeWord?: boolean | undefined },
): Promise<string> {
  checkKeyword(keyword)
  await recordFilterChange(tx, { accountId })
  await findFilter(tx, { id: filterId, accountId })
  const [row] = await insert(tx.db, { filterId, keywords: [keyword], wholeWord: [wholeWord] })
  await checkFilterLimits(tx, { accountId })
  return row!.id
}

/**
 * Changes a keyword. Mastodon: PUT /api/v2/filters/keywords/:id
 * @throws NotFoundError also for another account's keyword; ValidationError; UnprocessableError as `checkFilterLimits`
 */
export async function updateKeyword(
  tx: Tx,
  { accountId, id, change }: { accountId: string; id: string; change: Pick<KeywordChange, 'keyword' | 'wholeWord'> },
): Promise<void> {
  await recordFilterChange(tx, { accountId })
  const { filter_id: filterId } = await findKeyword(tx, { id, accountId })
  await changeKeywords(tx, { filterId, changes: [{ ...change, id }] })
  await checkFilterLimits(tx, { accountId })
}

/**
 * Removes a keyword. Its filter remains, even if it is empty. Mastodon: DELETE /api/v2/filters/keywords/:id
 * @throws NotFoundError also for another account's keyword
 */
export async function removeKeyword(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await recordFilterChange(tx, { accountId })
  const { filter_id: filterId } = await findKeyword(tx, { id, accountId })
  await changeKeywords(tx, { filterId, changes: [{ id, remove: true }] })
}
