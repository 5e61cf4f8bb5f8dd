import { createHash } from 'node:crypto'
import { statement } from '../../platform/db/statement.ts'
import type { Viewer } from '../auth/viewer.ts'
import type { Read } from '../context.ts'
import { readSettings } from '../instance/settings.ts'
import type { Audience } from '../instance/settings.ts'

/** A blocked server, as the owner lets others know of it. */
export interface PublicBlock {
  /** With `*` in the place of some letters where the owner does not want it to be found by its name. */
  domain: string
  /** SHA-256 of the name in full, hexadecimal. */
  digest: string
  severity: 'silence' | 'suspend'
  /** null: the owner says nothing, or not to this viewer. */
  comment: string | null
}

const load = statement<{
  row: { domain: string; severity: PublicBlock['severity']; comment: string; obfuscate: boolean }
}>(
  `select domain, severity, public_comment as comment, obfuscate from domain_blocks
   where severity in ('silence', 'suspend') order by severity desc, domain`,
)

/** Which servers are blocked here, for somebody (null: unknown); null where the owner does not tell them. */
export async function readPublicBlocks(
  read: Read,
  { viewer }: { viewer: Viewer | null },
): Promise<PublicBlock[] | null> {
  const settings = await readSettings(read)
  if (!mayKnow(settings['domain-blocks'], viewer)) return null
  const withComments = mayKnow(settings['domain-block-comments'], viewer)
  return (await load(read.db)).map(({ domain, severity, comment, obfuscate }) => ({
    domain: obfuscate ? obfuscateDomain(domain) : domain,
    digest: createHash('sha256').update(domain).digest('hex'),
    severity,
    comment: withComments && comment !== '' ? comment : null,
  }))
}

/** Who waits for approval, or may not act for another reason, is nobody of here. */
function mayKnow(audience: Audience, viewer: Viewer | null): boolean {
  return audience === 'all' || (audience === 'users' && viewer?.standing === 'usable')
}

/** Its middle half hidden, but for the dots; as long as it was. */
function obfuscateDomain(domain: string): string {
  const shown = Math.floor(domain.length / 4)
  return domain.replace(/[^.]/g, (char, at: number) => (at < shown || at >= domain.length - shown ? char : '*'))
}
