import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

export interface DomainBlock {
  severity: 'noop' | 'silence' | 'suspend'
  rejectMedia: boolean
  rejectReports: boolean
}

const NO_BLOCK: DomainBlock = { severity: 'noop', rejectMedia: false, rejectReports: false }

const find = statement<{
  params: { domains: readonly string[] }
  row: { severity: DomainBlock['severity']; reject_media: boolean; reject_reports: boolean }
}>(
  `select severity, reject_media, reject_reports from domain_blocks where domain = any($domains)
   order by length(domain) desc limit 1`,
)

/**
 * Returns the domain block of a host, in any case and with any port: that of its own name, or else of the nearest
 * parent domain. An unblocked host and an invalid name get one without effect.
 */
export async function findDomainBlock(read: Pick<Read, 'db'>, { domain }: { domain: string }): Promise<DomainBlock> {
  const [row] = await find(read.db, { domains: withParents(domain) })
  if (!row) return NO_BLOCK
  return { severity: row.severity, rejectMedia: row.reject_media, rejectReports: row.reject_reports }
}

/** Returns whether a host is suspended: nothing is accepted from it, fetched from it or sent to it. */
export async function isDomainSuspended(read: Pick<Read, 'db'>, { domain }: { domain: string }): Promise<boolean> {
  return (await findDomainBlock(read, { domain })).severity === 'suspend'
}

/** Returns a domain in its canonical form and its parent domains, nearest first; none for an invalid domain. */
export function withParents(domain: string): string[] {
  const name = canonicalDomain(domain)
  if (name === null) return []
  const labels = name.split('.')
  return labels.map((_label, n) => labels.slice(n).join('.'))
}
