import { createHash } from 'node:crypto'
import { statement } from '../../platform/db/statement.ts'
import type { Viewer } from '../auth/viewer.ts'
import type { Read } from '../context.ts'
import { readSettings } from './instance-settings.ts'
import type { Audience } from './setting-definitions.ts'

/** A published domain block (Mastodon's DomainBlock entity). */
export interface PublicDomainBlock {
  /** With `*` in place of some characters if the block is obfuscated. */
  domain: string
  /** SHA-256 of the full domain, hexadecimal. */
  digest: string
  severity: 'silence' | 'suspend'
  /** null: there is none, or the viewer may not see it. */
  comment: string | null
}

const load = statement<{
  row: { domain: string; severity: PublicDomainBlock['severity']; comment: string; obfuscate: boolean }
}>(
  `select domain, severity, public_comment as comment, obfuscate from domain_blocks
   where severity in ('silence', 'suspend') order by severity desc, domain`,
)

/**
 * Returns the limited and suspended domains for a viewer (null: anonymous); null if the viewer may not see them
 * (Mastodon: GET /api/v1/instance/domain_blocks).
 */
export async function listPublicDomainBlocks(
  read: Read,
  { viewer }: { viewer: Viewer | null },
): Promise<PublicDomainBlock[] | null> {
  const settings = await readSettings(read)
  if (!isInAudience(settings['domain-blocks'], viewer)) return null
  const withComments = isInAudience(settings['domain-block-comments'], viewer)
  return (await load(read.db)).map(({ domain, severity, comment, obfuscate }) => ({
    domain: obfuscate ? obfuscateDomain(domain) : domain,
    digest: createHash('sha256').update(domain).digest('hex'),
    severity,
    comment: withComments && comment !== '' ? comment : null,
  }))
}

/** Users who await approval, or may not act for another reason, do not count as local users here. */
function isInAudience(audience: Audience, viewer: Viewer | null): boolean {
  return audience === 'all' || (audience === 'users' && viewer?.accountState === 'usable')
}

/** Replaces the middle half of a domain, except dots, by `*`. */
function obfuscateDomain(domain: string): string {
  const shown = Math.floor(domain.length / 4)
  return domain.replace(/[^.]/g, (char, at: number) => (at < shown || at >= domain.length - shown ? char : '*'))
}
