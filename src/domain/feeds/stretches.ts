import type { Page } from '../../lib/page.ts'
import { askTogether } from '../../platform/db/ask-together.ts'
import type { Db } from '../../platform/db/connect.ts'

/**
 * Pages of what stands in an index by falling ids, read in stretches of it: first as many rows as the page has, then more
 * at a time until enough of them may be shown. So no statement takes long, however much is left out, and those who ask at
 * the same time can share one.
 */

const HIGHEST_ID = '9223372036854775807'

/** A stretch is so many times as long as the one before, up to a length. */
const GROWTH = 4
const MAX_ROWS = 5_000

type Order = 'desc' | 'asc'

/** Between two ids, without these, from the end at which the reading begins. */
interface Stretch {
  below: string
  above: string
  rows: number
}

/** Reads one stretch: words with blanks between. What is left out is its id as a negative number. */
type ReadStretch<Asked> = (db: Db, input: { asked: Asked; stretch: Stretch; order: Order }) => Promise<string>

/**
 * Makes what reads stretches. `columns`: what is asked with beside the stretch, by its type in SQL. `from`, in SQL over
 * `asked`: rows whose ids are in the column `id`. `word`: what stands for a row, without blanks and not beginning with a
 * minus; `shown`: whether it may be.
 */
export function stretchReader<Asked extends object>({
  columns,
  from,
  id,
  word = id,
  shown = 'true',
}: {
  columns: Readonly<Record<keyof Asked & string, string>>
  from: string
  id: string
  word?: string
  shown?: string
}): ReadStretch<Asked> {
  const readIn = (order: Order) =>
    askTogether<Asked & Stretch>(
      { ...columns, below: 'bigint', above: 'bigint', rows: 'integer' },
      `array_to_string(array(
         select case when ${shown} then (${word})::text else (-${id})::text end
         from ${from} and ${id} < asked.below and ${id} > asked.above order by ${id} ${order} limit asked.rows), ' ')`,
    )
  const read = { desc: readIn('desc'), asc: readIn('asc') }
  return async (db, { asked, stretch, order }) => read[order](db, { ...asked, ...stretch })
}

/** A page, newest first, of the rows that `parse` makes of words. `keep`: those that may be shown, of some of them. */
export async function readStretches<Asked, Row>(
  db: Db,
  {
    reader,
    asked,
    page: { maxId, sinceId, minId, limit },
    parse,
    idOf,
    keep,
  }: {
    reader: ReadStretch<Asked>
    asked: Asked
    page: Page
    parse(word: string): Row
    idOf(row: Row): string
    keep(rows: Row[]): Promise<Row[]> | Row[]
  },
): Promise<Row[]> {
  const order = minId === undefined ? 'desc' : 'asc'
  const above = [sinceId, minId].reduce((highest, id) => (id && BigInt(id) > highest ? BigInt(id) : highest), 0n)
  const stretch: Stretch = { below: maxId ?? HIGHEST_ID, above: String(above), rows: limit }
  const found: Row[] = []
  while (found.length < limit) {
    const text = await reader(db, { asked, stretch, order })
    const words = text === '' ? [] : text.split(' ')
    found.push(...(await keep(words.filter((word) => !word.startsWith('-')).map(parse))))
    const last = words.at(-1)
    if (last === undefined || words.length < stretch.rows) break
    stretch[order === 'desc' ? 'below' : 'above'] = last.startsWith('-') ? last.slice(1) : idOf(parse(last))
    stretch.rows = Math.min(stretch.rows * GROWTH, MAX_ROWS)
  }
  const shown = found.slice(0, limit)
  return order === 'desc' ? shown : shown.toReversed()
}
