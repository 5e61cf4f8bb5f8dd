import { canonicalDomain } from '../../lib/usernames.ts'
import { FetchRefusedError } from '../../platform/fetch/fetch-errors.ts'
import type { Read } from '../context.ts'
import { findDomainBlock } from './find-domain-block.ts'

/**
 * Checks the host of a URL before a page or, with `media`, a file is fetched from it. Refuses this server and hosts
 * whose domain block rejects the content.
 * @throws FetchRefusedError
 */
export async function checkHostAllowed(
  read: Read,
  { url, media = false }: { url: string; media?: boolean },
): Promise<void> {
  const domain = canonicalDomain(new URL(url).host, { keepPort: true })
  const { localDomain, webDomain } = read.config
  if (domain === null || domain === webDomain || domain === localDomain) throw new FetchRefusedError('address', url)
  const { severity, rejectMedia } = await findDomainBlock(read, { domain })
  if (severity === 'suspend' || (media && rejectMedia)) throw new FetchRefusedError('address', url)
}
