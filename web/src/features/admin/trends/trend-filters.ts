export const TREND_KINDS = ['statuses', 'tags', 'links', 'publishers'] as const
export type TrendKind = (typeof TREND_KINDS)[number]

/** The filters of the review of trends, as they stand in the URL. */
export interface TrendFilters {
  kind?: TrendKind
  /** Only trends that are not reviewed. */
  review?: 'pending'
}

/** Reads the filters of a URL. Unknown values count as missing. */
export function readTrendFilters(search: Record<string, unknown>): TrendFilters {
  const kind = TREND_KINDS.find((name) => name === search.kind)
  return { ...(kind && { kind }), ...(search.review === 'pending' && { review: 'pending' }) }
}
