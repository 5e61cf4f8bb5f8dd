/**
 * Returns an SQL condition over the aliases of `accounts` and of its left-joined row of `users` (`left join users u on
 * u.account_id = a.id`): whether an account is visible to others. Local users are visible only when they are confirmed
 * and approved. The condition is parenthesised, so it can be combined with `and`.
 */
export function confirmedAccount(a = 'a', u = 'u'): string {
  return `(${a}.domain is not null or (${u}.confirmed_at is not null and ${u}.approved))`
}

/** Returns the same condition for an account that others may interact with: it is also not suspended. */
export function usableAccount(a = 'a', u = 'u'): string {
  return `(${a}.suspended_at is null and ${confirmedAccount(a, u)})`
}

/**
 * Returns an SQL condition over the aliases of `users` and of its row of `accounts`: whether the user may log in and act.
 * A memorial is an account that no one uses.
 */
export function usableUser(a = 'a', u = 'u'): string {
  return `(${u}.disabled_at is null and not ${a}.memorial and ${usableAccount(a, u)})`
}
