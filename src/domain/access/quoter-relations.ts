/** The relations of an account to the author of a status that matter for its quote policy. */
export type QuoterRelations = Record<keyof ReturnType<typeof quoterRelations>, boolean>

/**
 * Returns for each relation a SQL `from` clause whose rows have the related account in `d.account_id`. `s` is an alias
 * of `statuses`. Follows are only read if the quote policy needs them. Use it in `exists (… offset 0)`, so that
 * PostgreSQL makes one index lookup per status; otherwise the planner may read all relations of an account.
 */
export function quoterRelations(s: string) {
  const isInPolicy = (word: string) => `'${word}' = any(${s}.quote_automatic || ${s}.quote_manual)`
  return {
    follows_author: `follows d where d.target_account_id = ${s}.account_id and ${isInPolicy('followers')}`,
    followed_by_author: `(select f.target_account_id as account_id, f.account_id as author_id from follows f) d
      where d.author_id = ${s}.account_id and ${isInPolicy('following')}`,
    is_blocked: `(select b.account_id, b.target_account_id as author_id from blocks b
      union all select b.target_account_id, b.account_id from blocks b) d where d.author_id = ${s}.account_id`,
  } as const
}
