import { usableAccount } from '../../access/usable-account.ts'

/**
 * Returns an SQL condition: whether an account may be recommended to users who did not search for it. The account must
 * be discoverable, not limited, and possible to follow. `a` and `u` are the aliases of `accounts` and of its
 * left-joined row of `users`.
 */
export function recommendableAccount(a = 'a', u = 'u'): string {
  return `(${a}.discoverable and ${a}.silenced_at is null and ${a}.moved_to_account_id is null and not ${a}.memorial
    and ${usableAccount(a, u)})`
}
