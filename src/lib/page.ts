/**
 * A page of a list in descending order of ids. The ids are exclusive. `sinceId` returns the newest entries above it,
 * `minId` the entries immediately above it.
 */
export interface Page {
  limit: number
  maxId?: string
  sinceId?: string
  minId?: string
}

/** The default and the maximum size of a page. */
export interface PageSize {
  default: number
  max: number
}

export const STATUS_PAGE: PageSize = { default: 20, max: 40 }
export const ACCOUNT_PAGE: PageSize = { default: 40, max: 80 }
export const DOMAIN_PAGE: PageSize = { default: 100, max: 200 }
export const TAG_PAGE: PageSize = { default: 100, max: 200 }
/** Lists of domain blocks, their imports and domain allows in the admin API. */
export const DOMAIN_RULE_PAGE: PageSize = { default: 100, max: 500 }
/** Other lists of the admin API. */
export const ADMIN_PAGE: PageSize = { default: 100, max: 200 }
/** Trending hashtags and links. */
export const TREND_PAGE: PageSize = { default: 10, max: 20 }
