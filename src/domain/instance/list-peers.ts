import { displayDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { hasRemoteDomain } from '../accounts/remote/former-handle.ts'
import type { Read } from '../context.ts'
import { cacheBriefly } from '../core/cache-briefly.ts'

/** How many domains a search returns at most. */
const MAX_RESULTS = 10

const selectPeers = statement<{ row: { domain: string }; notNull: 'domain' }>(
  `select k.domain from (select distinct a.domain from accounts a where ${hasRemoteDomain('a')}) k
   where not exists (select from domain_blocks b where b.domain = k.domain) order by k.domain`,
)

/**
 * Returns the domains of known remote accounts, without those with a domain block, in canonical ASCII and in
 * alphabetical order (Mastodon: GET /api/v1/instance/peers).
 */
export const listPeers: (read: Read) => Promise<string[]> = cacheBriefly(async (read) =>
  (await selectPeers(read.db)).map((row) => row.domain),
)

/** Returns peers whose domain, in ASCII or Unicode, has a prefix, in any case (Mastodon: GET /api/v1/peers/search). */
export async function searchPeers(read: Read, { query }: { query: string }): Promise<string[]> {
  const prefix = query.trim().toLowerCase()
  if (prefix === '') return []
  const peers = await listPeers(read)
  const matches = (domain: string) => domain.startsWith(prefix) || displayDomain(domain).startsWith(prefix)
  return peers.filter(matches).slice(0, MAX_RESULTS)
}
