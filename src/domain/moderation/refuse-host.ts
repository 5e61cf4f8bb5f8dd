import { canonicalDomain } from '../../lib/usernames.ts'
import { FetchRefused } from '../../platform/fetch/refusals.ts'
import type { Read } from '../context.ts'
import { findDomainBlock } from './domain-blocks.ts'

/**
 * Looks at where a request for a page, or a file (`media`), is about to lead: not to this server itself, and to none from
 * which such a thing is not taken.
 * @throws FetchRefused
 */
export async function refuseHost(read: Read, { url, media = false }: { url: string; media?: boolean }): Promise<void> {
  const domain = canonicalDomain(new URL(url).host, { keepPort: true })
  const { localDomain, webDomain } = read.config
  if (domain === null || domain === webDomain || domain === localDomain) throw new FetchRefused('address', url)
  const { severity, rejectMedia } = await findDomainBlock(read, { domain })
  if (severity === 'suspend' || (media && rejectMedia)) throw new FetchRefused('address', url)
}
