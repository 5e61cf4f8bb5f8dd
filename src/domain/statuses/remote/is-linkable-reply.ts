import { originalVisibleTo } from '../../access/visibility.ts'

/**
 * Returns the SQL condition that a remote status may be linked to its parent. `author` is an expression for the id of
 * the reply's author, `visibility` one for the reply's visibility, `parent` an alias of `statuses`.
 *
 * The author must be able to see the parent: otherwise anyone's reply would reveal that a hidden status exists. Only
 * the parent's own server knows its followers, so a reply that is not public itself is always linked to a remote
 * parent.
 */
export function isLinkableReply({
  author,
  visibility,
  parent,
}: {
  author: string
  visibility: string
  parent: string
}): string {
  return `(not ${parent}.local_only and ${parent}.reblog_of_id is null and ${parent}.deleted_at is null
    and (${originalVisibleTo(author, parent)} or (not ${parent}.local and ${visibility} in ('private', 'direct'))))`
}
