import { isId } from '../../../lib/ids.ts'

/** Returns a filter by an id from a query: null without one, and the id of no row for a text that is not an id. */
export function readIdFilter(id: string | undefined): string | null {
  if (id === undefined) return null
  return isId(id) ? id : '0'
}
