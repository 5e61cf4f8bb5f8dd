import { readTexts } from '../shared/form/read-filters.ts'

/** The filters of the list of accounts, as they stand in the URL. */
export interface AccountFilters {
  origin?: 'local' | 'remote'
  status?: 'active' | 'pending' | 'disabled' | 'sensitized' | 'silenced' | 'suspended'
  permissions?: 'staff'
  role?: string
  username?: string
  displayName?: string
  byDomain?: string
  email?: string
  ip?: string
  invitedBy?: string
}

export const ORIGINS = ['local', 'remote'] as const
export const STATUSES = ['active', 'pending', 'disabled', 'sensitized', 'silenced', 'suspended'] as const
export const TEXT_FILTERS = ['username', 'displayName', 'byDomain', 'email', 'ip'] as const

/** Reads the filters of a URL. Unknown values count as missing. */
export function readAccountFilters(search: Record<string, unknown>): AccountFilters {
  const filters: AccountFilters = {}
  const origin = ORIGINS.find((name) => name === search.origin)
  const status = STATUSES.find((name) => name === search.status)
  if (origin) filters.origin = origin
  if (status) filters.status = status
  if (search.permissions === 'staff') filters.permissions = 'staff'
  return { ...filters, ...readTexts(search, [...TEXT_FILTERS, 'role', 'invitedBy']) }
}

/** Returns the parameters of the API for filters. */
export function parametersOf({ role, ...filters }: AccountFilters): object {
  return { ...filters, ...(role !== undefined && { roleIds: [role] }) }
}
