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
