/**
 * Returns an SQL condition over an alias of `statuses`: whether a status is not a reply, or is a self-reply. A status
 * whose parent is unknown or deleted still counts as a reply.
 */
export function isRootOrSelfReply(s = 's'): string {
  return `(${s}.in_reply_to_id is null and ${s}.in_reply_to_uri is null and ${s}.in_reply_to_account_id is null
    or ${s}.in_reply_to_account_id = ${s}.account_id)`
}
