/**
 * Whether an account may be shown to others at all, as SQL over the aliases of `accounts` and of its row of `users`,
 * joined from the left (`left join users u on u.account_id = a.id`): people of here only once their address is
 * confirmed and they are approved. Made to be joined with `and`, so that nothing asked before it is lost.
 */
export function revealedAccount(a = 'a', u = 'u'): string {
  return `(${a}.domain is not null or (${u}.confirmed_at is not null and ${u}.approved))`
}

/** The same for an account that others may deal with: also not suspended. */
export function usableAccount(a = 'a', u = 'u'): string {
  return `(${a}.suspended_at is null and ${revealedAccount(a, u)})`
}
