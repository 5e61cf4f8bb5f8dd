import type { Page } from '../../lib/page.ts'
import { createBatchedQuery } from '../../platform/db/create-batched-query.ts'
import type { Db } from '../../platform/db/connection.ts'

/**
 * Keyset pagination over an index on ids with a filter, in batches: a batch ends when the page is full, and after some
 * thousand scanned rows in any case. So each statement is short, however many rows the filter rejects, and concurrent
 * requests can share a statement.
 */

const HIGHEST_ID = '9223372036854775807'

/** How many rows a batch scans at most. */
const MAX_ROWS = 5_000

/** If the rows of a batch do not fill the page, the next batch requests so many times as many. */
const BATCH_GROWTH = 4

type Order = 'desc' | 'asc'

/** At most `rows` rows with ids between two exclusive bounds, in the order of reading. */
interface KeysetBatch {
  below: string
  above: string
  rows: number
}

/**
 * Reads a batch. Returns the texts of its rows, separated by blanks. If the scan limit ended the batch, the last text
 * is a minus and the last scanned id.
 */
type KeysetBatchReader<Query> = (db: Db, input: { query: Query; batch: KeysetBatch; order: Order }) => Promise<string>

/**
 * Creates a reader of batches. `columns`: the parameters of the query with their SQL types; SQL expressions refer to
 * them by the alias `requested`. `where`: the condition that the index covers, with the ids in the column `id`. `rowText`:
 * an SQL expression of the text that represents a row, without blanks and a leading minus; by default the id. `filter`:
 * an SQL condition for the rows to return.
 */
export function keysetBatchReader<Query extends object>({
  columns,
  table,
  alias,
  where,
  id,
  rowText = `${alias}.${id}`,
  filter,
}: {
  columns: Readonly<Record<keyof Query & string, string>>
  table: string
  alias: string
  where: string
  id: string
  rowText?: string
  filter?: string
}): KeysetBatchReader<Query> {
  const key = `${alias}.${id}`
  const rowsQuery = (order: Order, expression = rowText) =>
    `select ${expression} from ${table} ${alias} where ${where} and ${key} < requested.below and ${key} > requested.above
     order by ${key} ${order}`
  const unfilteredQuery = (order: Order) => `array_to_string(array(${rowsQuery(order)} limit requested.rows), ' ')`
  // The last scanned id is returned only if the page is not full.
  const filteredQuery = (order: Order) => `(
    select array_to_string(page.texts || case when cardinality(page.texts) < requested.rows then
      array(${rowsQuery(order, `(-${key})::text`)} offset ${MAX_ROWS - 1} limit 1) end, ' ')
    from (
      select array(
        select (${rowText})::text from (${rowsQuery(order, `${alias}.*`)} limit ${MAX_ROWS}) ${alias}
        where ${filter} order by ${key} ${order} limit requested.rows) as texts offset 0) page)`
  const readIn = (order: Order) =>
    createBatchedQuery<Query & KeysetBatch>(
      { ...columns, below: 'bigint', above: 'bigint', rows: 'integer' },
      filter === undefined ? unfilteredQuery(order) : filteredQuery(order),
    )
  const read = { desc: readIn('desc'), asc: readIn('asc') }
  return async (db, { query, batch, order }) => read[order](db, { ...query, ...batch })
}

/**
 * Returns a page, newest first. `filterRows` receives the texts of a batch and returns the rows to include, in order.
 * `idOf` returns the id of a row by its text.
 */
export async function readKeysetBatches<Query, Row>(
  db: Db,
  {
    reader,
    query,
    page: { maxId, sinceId, minId, limit },
    idOf,
    filterRows,
  }: {
    reader: KeysetBatchReader<Query>
    query: Query
    page: Page
    idOf(rowText: string): string
    filterRows(rowTexts: string[]): Promise<Row[]> | Row[]
  },
): Promise<Row[]> {
  const order = minId === undefined ? 'desc' : 'asc'
  const above = [sinceId, minId].reduce((highest, id) => (id && BigInt(id) > highest ? BigInt(id) : highest), 0n)
  const batch: KeysetBatch = { below: maxId ?? HIGHEST_ID, above: String(above), rows: limit }
  const found: Row[] = []
  while (found.length < limit) {
    const text = await reader(db, { query, batch, order })
    const rowTexts = text === '' ? [] : text.split(' ')
    const lastScannedId = rowTexts.at(-1)?.startsWith('-') ? rowTexts.pop()!.slice(1) : null
    found.push(...(await filterRows(rowTexts)))
    if (lastScannedId === null && rowTexts.length < batch.rows) break
    const end = lastScannedId ?? idOf(rowTexts.at(-1)!)
    if (order === 'desc') batch.below = end
    else batch.above = end
    batch.rows = Math.min(batch.rows * BATCH_GROWTH, MAX_ROWS)
  }
  const page = found.slice(0, limit)
  return order === 'desc' ? page : page.toReversed()
}
