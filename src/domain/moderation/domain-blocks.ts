import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

export interface DomainBlock {
  severity: 'noop' | 'silence' | 'suspend'
  rejectMedia: boolean
  rejectReports: boolean
}

const NONE: DomainBlock = { severity: 'noop', rejectMedia: false, rejectReports: false }

const find = statement<{
  params: { domains: readonly string[] }
  row: { severity: DomainBlock['severity']; reject_media: boolean; reject_reports: boolean }
}>(
  `select severity, reject_media, reject_reports from domain_blocks where domain = any($domains)
   order by length(domain) desc limit 1`,
)

/**
 * The rule for a host, in whatever spelling it comes and on whatever port: that of its own name, else of the nearest
 * domain above it. What is no host name has none.
 */
export async function findDomainBlock(read: Pick<Read, 'db'>, { domain }: { domain: string }): Promise<DomainBlock> {
  const [row] = await find(read.db, { domains: withParents(domain) })
  if (!row) return NONE
  return { severity: row.severity, rejectMedia: row.reject_media, rejectReports: row.reject_reports }
}

/** Whether nothing is taken from a host, asked of it or sent to it. */
export async function isDomainSuspended(read: Pick<Read, 'db'>, { domain }: { domain: string }): Promise<boolean> {
  return (await findDomainBlock(read, { domain })).severity === 'suspend'
}

/** A domain in its one spelling and those above it, the nearest first; none for what is no domain. */
export function withParents(domain: string): string[] {
  const name = canonicalDomain(domain)
  if (name === null) return []
  const labels = name.split('.')
  return labels.map((_label, n) => labels.slice(n).join('.'))
}
