import { usableAccount } from './usable.ts'

/**
 * Whether an account may be shown to people who did not ask for it, as SQL over the aliases of `accounts` and of its row
 * of `users`, joined from the left: only who wants that, is in good standing, and is still there to be followed.
 */
export function recommendableAccount(a = 'a', u = 'u'): string {
  return `(${a}.discoverable and ${a}.silenced_at is null and ${a}.moved_to_account_id is null and not ${a}.memorial
    and ${usableAccount(a, u)})`
}
