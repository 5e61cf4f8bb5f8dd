import type { Page } from '../../lib/page.ts'

/**
 * The part of a statement that cuts a page out of rows ordered by a falling id. Parameters: `$n` max, `$n+1` since,
 * `$n+2` min, `$n+3` limit. With `min` the page next above it is read upwards, so its rows come in rising order.
 */
export function pageClause(column: string, n: number): { where: string; descending: string; ascending: string } {
  return {
    // Plain comparisons, so that the planner can enter the index at the cursor instead of counting down to it.
    where: `${column} < coalesce($${n}::bigint, 9223372036854775807)
      and ${column} > greatest($${n + 1}::bigint, $${n + 2}::bigint, 0)`,
    descending: `order by ${column} desc limit $${n + 3}`,
    ascending: `order by ${column} asc limit $${n + 3}`,
  }
}

export function pageValues(page: Page): (string | number | null)[] {
  return [page.maxId ?? null, page.sinceId ?? null, page.minId ?? null, page.limit]
}

/** Runs the statement that fits the page's direction, and gives the rows newest first. */
export async function readPaged<Row>(
  page: Page,
  { descending, ascending }: { descending: () => Promise<Row[]>; ascending: () => Promise<Row[]> },
): Promise<Row[]> {
  return page.minId === undefined ? descending() : (await ascending()).toReversed()
}

const HIGHEST_ID = '9223372036854775807'

/** A stretch of rows ordered by a falling id: between two, without these, from the end at which the reading begins. */
export interface Stretch {
  below: string
  above: string
  rows: number
}

/** Its columns, for `askTogether`. */
export const STRETCH = { below: 'bigint', above: 'bigint', rows: 'integer' } as const

/** The part of a question that cuts the stretch that is asked for out of rows. */
export function stretchClause(column: string): { where: string; desc: string; asc: string } {
  return {
    where: `${column} < asked.below and ${column} > asked.above`,
    desc: `order by ${column} desc limit asked.rows`,
    asc: `order by ${column} asc limit asked.rows`,
  }
}

/** Reads the rows of a stretch, from where it begins. */
type ReadStretch<Row> = (stretch: Stretch, order: 'desc' | 'asc') => Promise<Row[]>

function stretchOf({ maxId, sinceId, minId, limit }: Page): Stretch {
  const above = [sinceId, minId].reduce((highest, id) => (id && BigInt(id) > highest ? BigInt(id) : highest), 0n)
  return { below: maxId ?? HIGHEST_ID, above: String(above), rows: limit }
}

/** Reads a page as one stretch, newest first. */
export async function readStretch<Row>(page: Page, read: ReadStretch<Row>): Promise<Row[]> {
  return readPaged(page, {
    descending: () => read(stretchOf(page), 'desc'),
    ascending: () => read(stretchOf(page), 'asc'),
  })
}

/**
 * Reads a page in stretches, newest first, until enough of what was read is kept. `keep`: those that may be shown;
 * `longer`: how long the next stretch is. That is seldom needed: what is hidden is mostly taken away.
 */
export async function readStretches<Row>(
  page: Page,
  {
    read,
    idOf,
    keep,
    longer,
  }: {
    read: ReadStretch<Row>
    idOf(row: Row): string
    keep(rows: Row[]): Promise<Row[]>
    longer(rows: number): number
  },
): Promise<Row[]> {
  const order = page.minId === undefined ? 'desc' : 'asc'
  const stretch = stretchOf(page)
  const found: Row[] = []
  while (found.length < page.limit) {
    const rows = await read(stretch, order)
    found.push(...(await keep(rows)))
    const last = rows.at(-1)
    if (last === undefined || rows.length < stretch.rows) break
    stretch[order === 'desc' ? 'below' : 'above'] = idOf(last)
    stretch.rows = longer(stretch.rows)
  }
  const shown = found.slice(0, page.limit)
  return order === 'desc' ? shown : shown.toReversed()
}
