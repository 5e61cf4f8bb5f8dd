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
  const isInside = `${where} and ${key} < asked.below and ${key} > asked.above`
  const all = (order: Order) => `select ${word} from ${table} ${alias} where ${isInside} order by ${key} ${order}`
  // Where enough was looked at is where the next stretch begins.
  const some = (order: Order) => `
    select case when place = ${MAX_ROWS} then (-${key})::text else (${word})::text end
    from (
      select ${alias}.*, row_number() over (order by ${key} ${order}) as place
      from ${table} ${alias} where ${isInside} order by ${key} ${order} limit ${MAX_ROWS}) ${alias}
    where place = ${MAX_ROWS} or (${shown}) order by ${key} ${order}`
  const readIn = (order: Order) =>
    askTogether<Asked & Stretch>(
      { ...columns, below: 'bigint', above: 'bigint', rows: 'integer' },
      `array_to_string(array(${shown === undefined ? all(order) : some(order)} limit asked.rows), ' ')`,
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
    const edge = words.at(-1)?.startsWith('-') ? BigInt(words.pop()!.slice(1)) : null
    const rows = words.map(parse)
    found.push(...(await keep(rows)))
    if (edge === null && rows.length < stretch.rows) break
    if (order === 'desc') stretch.below = edge === null ? idOf(rows.at(-1)!) : String(edge + 1n)
    else stretch.above = edge === null ? idOf(rows.at(-1)!) : String(edge - 1n)
    stretch.rows = Math.min(stretch.rows * GROWTH, MAX_ROWS)
  }
  const shown = found.slice(0, limit)
  return order === 'desc' ? shown : shown.toReversed()
}
