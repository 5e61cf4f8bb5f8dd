/**
 * Whether a status answers nobody but its author, as SQL over the alias of `statuses`. What it answers may not be known
 * here yet, or be gone: it is an answer all the same.
 */
export function isOwnTalk(s = 's'): string {
  return `(${s}.in_reply_to_id is null and ${s}.in_reply_to_uri is null and ${s}.in_reply_to_account_id is null
    or ${s}.in_reply_to_account_id = ${s}.account_id)`
}
