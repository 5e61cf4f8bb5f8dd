import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkKeyword, checkRoom } from './check-filter.ts'
import { findFilter, findKeyword } from './find.ts'
import { noteFilterChange } from './note-change.ts'

/** What becomes of one keyword of a filter: a new one has no id; what is undefined stays as it is. */
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
    wholes: readonly (boolean | null)[]
  }
  row: { id: string }
}>(
  `update filter_keywords k set keyword = coalesce(changed.keyword, k.keyword),
     whole_word = coalesce(changed.whole_word, k.whole_word)
   from unnest($ids::bigint[], $texts::text[], $wholes::boolean[]) as changed (id, keyword, whole_word)
   where k.filter_id = $filterId and k.id = changed.id returning k.id`,
)
const remove = statement<{ params: { filterId: string; removed: readonly string[] }; row: { id: string } }>(
  `delete from filter_keywords where filter_id = $filterId and id = any($removed::bigint[]) returning id`,
)

/**
 * Adds, changes and removes keywords of a filter whose owner has been checked. Entries that say nothing are left out.
 * @throws NotFound for a keyword that is not of this filter · ValidationFailed
 */
export async function changeKeywords(
  tx: Tx,
  { filterId, changes }: { filterId: string; changes: readonly KeywordChange[] },
): Promise<void> {
  const known = new Map<string, KeywordChange>()
  const added: KeywordChange[] = []
  for (const change of changes) {
    if (change.id !== undefined && change.id !== '') known.set(change.id, { ...known.get(change.id), ...change })
    else if (change.remove !== true && (change.keyword?.trim() || change.wholeWord === true)) added.push(change)
  }
  const all = [...known.values()]
  const removed = [...known].filter(([, change]) => change.remove === true).map(([id]) => id)
  const changed = all.filter((change) => change.remove !== true)
  for (const { keyword } of changed) if (keyword !== undefined) checkKeyword(keyword)
  for (const { keyword = '' } of added) checkKeyword(keyword)
  if (![...known.keys()].every(isId)) throw new NotFound()

  const gone = removed.length === 0 ? [] : await remove(tx.db, { filterId, removed })
  const ids = [...known].filter(([, change]) => change.remove !== true).map(([id]) => id)
  const texts = changed.map(({ keyword = null }) => keyword)
  const wholes = changed.map(({ wholeWord = null }) => wholeWord)
  const kept = changed.length === 0 ? [] : await update(tx.db, { filterId, ids, texts, wholes })
  if (gone.length + kept.length < all.length) throw new NotFound()
  if (added.length === 0) return
  await insert(tx.db, {
    filterId,
    keywords: added.map(({ keyword = '' }) => keyword),
    wholeWord: added.map((one) => one.wholeWord ?? true),
  })
}

/** Adds a keyword to a filter. Returns its id. @throws NotFound also for somebody else's · ValidationFailed */
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
  await noteFilterChange(tx, { accountId })
  await findFilter(tx, { id: filterId, accountId })
  const [row] = await insert(tx.db, { filterId, keywords: [keyword], wholeWord: [wholeWord] })
  await checkRoom(tx, { accountId })
  return row!.id
}

/** Changes a keyword. @throws NotFound also for somebody else's · ValidationFailed */
export async function updateKeyword(
  tx: Tx,
  { accountId, id, change }: { accountId: string; id: string; change: Pick<KeywordChange, 'keyword' | 'wholeWord'> },
): Promise<void> {
  await noteFilterChange(tx, { accountId })
  const { filter_id: filterId } = await findKeyword(tx, { id, accountId })
  await changeKeywords(tx, { filterId, changes: [{ ...change, id }] })
  await checkRoom(tx, { accountId })
}

/** Removes a keyword; its filter stays, even when nothing is left of it. @throws NotFound also for somebody else's */
export async function removeKeyword(tx: Tx, { accountId, id }: { accountId: string; id: string }): Promise<void> {
  await noteFilterChange(tx, { accountId })
  const { filter_id: filterId } = await findKeyword(tx, { id, accountId })
  await changeKeywords(tx, { filterId, changes: [{ id, remove: true }] })
}
