import { createContext } from 'react'
import type { FilterContext, Status } from '../../../lib/api/entities.ts'

/** Where statuses are shown, which decides which filters of the user apply. */
export const FilteringContext = createContext<FilterContext>('public')

/** How the user's filters change a status. */
export interface Filtering {
  action: 'hide' | 'warn' | 'blur'
  /** The names of the filters that match, joined. */
  titles: string
}

const BY_SEVERITY = ['hide', 'warn', 'blur'] as const

/** Returns what the filters of a context do to a status: the strictest of their actions; null if none matches. */
export function findFiltering({ filtered = [] }: Pick<Status, 'filtered'>, context: FilterContext): Filtering | null {
  const filters = filtered.map(({ filter }) => filter).filter((filter) => filter.context.includes(context))
  const action = BY_SEVERITY.find((action) => filters.some(({ filterAction }) => filterAction === action))
  if (!action) return null
  const titles = filters.filter(({ filterAction }) => filterAction === action).map(({ title }) => title)
  return { action, titles: titles.join(', ') }
}
