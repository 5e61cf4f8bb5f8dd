import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { isDomainSuspended } from './find-domain-block.ts'
import { isHostSuspended } from './suspended-host.ts'

const findAllow = statement<{ params: { domain: string } }>(`select from domain_allows where domain = $domain`)

/**
 * Returns whether this server federates with a host, in any case and with any port: nothing is accepted from others,
 * fetched from them or sent to them. A host must not be suspended, and with limited federation it must be allowed.
 */
export async function isFederating(
  read: Pick<Read, 'db' | 'config'>,
  { domain }: { domain: string },
): Promise<boolean> {
  if (!(await isDomainAllowed(read, { domain }))) return false
  return !(await isDomainSuspended(read, { domain }))
}

/** Returns whether limited federation permits a host. The allow of a domain does not include its subdomains. */
export async function isDomainAllowed(
  { db, config }: Pick<Read, 'db' | 'config'>,
  { domain }: { domain: string },
): Promise<boolean> {
  if (!config.access.limitedFederation) return true
  const name = canonicalDomain(domain)
  return name !== null && (await findAllow(db, { domain: name })).length > 0
}

/**
 * Returns an SQL condition: whether this server federates with a host, given as an SQL expression. The set-based
 * equivalent of `isFederating`; `$limitedFederation` is the setting.
 */
export function isHostFederating(host: string): string {
  return `(not ${isHostSuspended(host)} and ${isHostAllowed(host)})`
}

/** Returns an SQL condition: the set-based equivalent of `isDomainAllowed`. */
export function isHostAllowed(host: string): string {
  return `(not $limitedFederation::boolean
    or exists (select from domain_allows allow where allow.domain = split_part(${host}, ':', 1)))`
}
