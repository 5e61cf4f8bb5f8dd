import type { Page } from '../../lib/page.ts'
import { askTogether } from '../../platform/db/ask-together.ts'
import type { Db } from '../../platform/db/connect.ts'

/**
 * Pages of what stands in an index by falling ids, read in stretches of it: a stretch ends where the page is full, and
 * after some thousand rows in any case. So no statement takes long, however much is left out, and those who ask at the
 * same time can share one.
 */

const HIGHEST_ID = '9223372036854775807'

/** One stretch looks at so many rows at most. */
const MAX_ROWS = 5_000

/** When less of what a stretch gave is kept than the page needs, the next one gives so many times as much. */
const GROWTH = 4

type Order = 'desc' | 'asc'

/** Up to so many rows between two ids, without these, from the end at which the reading begins. */
interface Stretch {
  below: string
  above: string
  rows: number
}

/** Reads one stretch: words with blanks between. It ends with a minus and an id where it looked at enough before that. */
type ReadStretch<Asked> = (db: Db, input: { asked: Asked; stretch: Stretch; order: Order }) => Promise<string>

/**
 * Makes what reads stretches. `columns`: what is asked with beside the stretch, by its type in SQL. `table` and its alias,
 * and the rows of it that there are (`where`), in SQL over `asked`; their ids are in the column `id`. `word`: what stands
 * for a row, without blanks and not beginning with a minus; `shown`: whether it may be.
 */
export function stretchReader<Asked extends object>({
  columns,
  table,
  alias,
  where,
  id,
  word = `${alias}.${id}`,
  shown,
}: {
  columns: Readonly<Record<keyof Asked & string, string>>
  table: string
  alias: string
  where: string
  id: string
  word?: string
  shown?: string
}): ReadStretch<Asked> {
  const key = `${alias}.${id}`
  const rowsIn = (order: Order, what = word) =>
    `select ${what} from ${table} ${alias} where ${where} and ${key} < asked.below and ${key} > asked.above
     order by ${key} ${order}`
  const all = (order: Order) => `array_to_string(array(${rowsIn(order)} limit asked.rows), ' ')`
  // Where enough was looked at is told only when the page is not full.
  const some = (order: Order) => `(
    select array_to_string(page.words || case when cardinality(page.words) < asked.rows then
      array(${rowsIn(order, `(-${key})::text`)} offset ${MAX_ROWS - 1} limit 1) end, ' ')
    from (
      select array(
        select (${word})::text from (${rowsIn(order, `${alias}.*`)} limit ${MAX_ROWS}) ${alias}
        where ${shown} order by ${key} ${order} limit asked.rows) as words offset 0) page)`
  const readIn = (order: Order) =>
    askTogether<Asked & Stretch>(
      { ...columns, below: 'bigint', above: 'bigint', rows: 'integer' },
      shown === undefined ? all(order) : some(order),
    )
  const read = { desc: readIn('desc'), asc: readIn('asc') }
  return async (db, { asked, stretch, order }) => read[order](db, { ...asked, ...stretch })
}

/** A page, newest first. `keep`: what stands for the words that may be shown, of some of them. */
export async function readStretches<Asked, Row>(
  db: Db,
  {
    reader,
    asked,
    page: { maxId, sinceId, minId, limit },
    idOf,
    keep,
  }: {
    reader: ReadStretch<Asked>
    asked: Asked
    page: Page
    idOf(word: string): string
    keep(words: string[]): Promise<Row[]> | Row[]
  },
): Promise<Row[]> {
  const order = minId === undefined ? 'desc' : 'asc'
  const above = [sinceId, minId].reduce((highest, id) => (id && BigInt(id) > highest ? BigInt(id) : highest), 0n)
  const stretch: Stretch = { below: maxId ?? HIGHEST_ID, above: String(above), rows: limit }
  const found: Row[] = []
  while (found.length < limit) {
    const text = await reader(db, { asked, stretch, order })
    const words = text === '' ? [] : text.split(' ')
    const edge = words.at(-1)?.startsWith('-') ? words.pop()!.slice(1) : null
    found.push(...(await keep(words)))
    if (edge === null && words.length < stretch.rows) break
    const end = edge ?? idOf(words.at(-1)!)
    if (order === 'desc') stretch.below = end
    else stretch.above = end
    stretch.rows = Math.min(stretch.rows * GROWTH, MAX_ROWS)
  }
  const shown = found.slice(0, limit)
  return order === 'desc' ? shown : shown.toReversed()
}
