import type { FilterKeyword } from '../../lib/api/entities.ts'

/** A keyword in the form. `id`: null for a new one. */
export interface KeywordRow {
  key: string
  id: string | null
  keyword: string
  wholeWord: boolean
}

/** What the server does with a keyword: it changes the one with the `id`, removes it, or adds one without an `id`. */
export type KeywordChange = { id?: string; keyword: string; wholeWord: boolean } | { id: string; _destroy: true }

export const createRow = (keyword = ''): KeywordRow => ({
  key: crypto.randomUUID(),
  id: null,
  keyword,
  wholeWord: true,
})

export const toRow = ({ id, keyword, wholeWord }: FilterKeyword): KeywordRow => ({ key: id, id, keyword, wholeWord })

/** Returns what has to change at the server so that a filter has the keywords of the form. Empty rows are removed. */
export function findKeywordChanges(before: readonly FilterKeyword[], rows: readonly KeywordRow[]): KeywordChange[] {
  const filled = rows.map((row) => ({ ...row, keyword: row.keyword.trim() })).filter(({ keyword }) => keyword !== '')
  const added = filled.filter(({ id }) => id === null).map(({ keyword, wholeWord }) => ({ keyword, wholeWord }))
  const others = before.flatMap(({ id, keyword, wholeWord }): KeywordChange[] => {
    const row = filled.find((one) => one.id === id)
    if (!row) return [{ id, _destroy: true }]
    if (row.keyword === keyword && row.wholeWord === wholeWord) return []
    return [{ id, keyword: row.keyword, wholeWord: row.wholeWord }]
  })
  return [...others, ...added]
}
