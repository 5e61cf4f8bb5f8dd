import type { Account } from '../../lib/api/entities.ts'

/** Returns the domain of a remote account; null for a local one. */
export function domainOf({ acct }: Pick<Account, 'acct'>): string | null {
  const at = acct.indexOf('@')
  return at === -1 ? null : acct.slice(at + 1)
}
