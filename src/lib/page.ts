/**
 * A page of a list that is ordered by falling ids. `maxId` is exclusive; `sinceId` gives the newest page above it;
 * `minId` the page immediately above it.
 */
export interface Page {
  limit: number
  maxId?: string
  sinceId?: string
  minId?: string
}

/** How large a page may be: the size when none is asked for, and the largest. */
export interface PageSize {
  default: number
  max: number
}

export const STATUS_PAGE: PageSize = { default: 20, max: 40 }
export const ACCOUNT_PAGE: PageSize = { default: 40, max: 80 }
export const DOMAIN_PAGE: PageSize = { default: 100, max: 200 }
export const TAG_PAGE: PageSize = { default: 100, max: 200 }
