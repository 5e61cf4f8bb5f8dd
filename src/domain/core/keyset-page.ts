import type { Page } from '../../lib/page.ts'

/** The parameters of a statement that contains a `keysetClause`. */
export interface PageParameters {
  maxId: string | null
  sinceId: string | null
  minId: string | null
  limit: number
}

/**
 * Returns the part of a statement that cuts a page out of rows ordered by a descending id. Its parameters are those of
 * `pageParameters`. With `min_id` the statement reads the page next above that id, so its rows come in ascending order.
 */
export function keysetClause(column: string): { where: string; descending: string; ascending: string } {
  return {
    // Plain comparisons let the planner enter the index at the cursor instead of scanning down to it.
    where: `${column} < coalesce($maxId::bigint, 9223372036854775807)
      and ${column} > greatest($sinceId::bigint, $minId::bigint, 0)`,
    descending: `order by ${column} desc limit $limit`,
    ascending: `order by ${column} asc limit $limit`,
  }
}

export function pageParameters(page: Page): PageParameters {
  return { maxId: page.maxId ?? null, sinceId: page.sinceId ?? null, minId: page.minId ?? null, limit: page.limit }
}

/** Runs the statement for the page's direction. Returns the rows, newest first. */
export async function readKeysetPage<Row>(
  page: Page,
  { descending, ascending }: { descending: () => Promise<Row[]>; ascending: () => Promise<Row[]> },
): Promise<Row[]> {
  return page.minId === undefined ? descending() : (await ascending()).toReversed()
}
