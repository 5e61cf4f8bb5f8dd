import { canonicalDomain } from '../../lib/usernames.ts'
import { FetchRefused } from '../../platform/fetch/refusals.ts'
import type { Read } from '../context.ts'
import { isDomainSuspended } from './domain-blocks.ts'

/**
 * Looks at where a request for a page is about to lead: not to this server itself, and to none that is blocked.
 * @throws FetchRefused
 */
export async function refuseHost(read: Read, { url }: { url: string }): Promise<void> {
  const domain = canonicalDomain(new URL(url).host, { keepPort: true })
  const { localDomain, webDomain } = read.config
  const isOurs = domain === null || domain === webDomain || domain === localDomain
  if (isOurs || (await isDomainSuspended(read, { domain }))) throw new FetchRefused('address', url)
}
