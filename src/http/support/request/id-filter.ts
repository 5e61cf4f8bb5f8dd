import { isId } from '../../../lib/ids.ts'
import { isBlank } from '../../../lib/text/is-blank.ts'

/**
 * Returns a filter by an id from a query: null without one or for a blank one, and the id of no row for another text
 * that is not an id.
 */
export function readIdFilter(id: string | undefined): string | null {
  if (id === undefined || isBlank(id)) return null
  return isId(id) ? id : '0'
}
