import { formatStatus } from '../../lib/text/format.ts'
import type { Read } from '../context.ts'
import type { MentionedAccount } from './find-mentions.ts'

/** A text of somebody here as HTML, with the address of what it quotes; a handle of nobody stays text. */
export function formatContent(
  { config }: Pick<Read, 'config'>,
  { text, mentions, quoteUrl }: { text: string; mentions: readonly MentionedAccount[]; quoteUrl: string | null },
): string {
  return formatStatus({
    text,
    mentions,
    quoteUrl,
    localDomains: [config.localDomain, config.webDomain],
    tagUrl: (name) => `${config.origin}/tags/${encodeURIComponent(name)}`,
  })
}
