import { displayDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keepFresh } from '../keep-fresh.ts'

/** So many domains are found at once. */
const FOUND = 10

const find = statement<{ row: { domain: string }; notNull: 'domain' }>(
  `select k.domain from (select distinct a.domain from accounts a where a.domain is not null) k
   where not exists (select from domain_blocks b where b.domain = k.domain) order by k.domain`,
)

/** The servers of which somebody is known here, without those that a rule is for; canonical ASCII, in order. */
export const readPeers: (read: Read) => Promise<string[]> = keepFresh(async (read) =>
  (await find(read.db)).map((row) => row.domain),
)

/** Those of them whose name begins like this, in whatever spelling it comes. */
export async function searchPeers(read: Read, { query }: { query: string }): Promise<string[]> {
  const typed = query.trim().toLowerCase()
  if (typed === '') return []
  const peers = await readPeers(read)
  const begins = (domain: string) => domain.startsWith(typed) || displayDomain(domain).startsWith(typed)
  return peers.filter(begins).slice(0, FOUND)
}
