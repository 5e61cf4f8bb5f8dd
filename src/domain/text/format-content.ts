import { formatStatus } from '../../lib/html/format-status.ts'
import type { Read } from '../context.ts'
import type { MentionedAccount } from './find-mentions.ts'

/** Returns the text of a local status as HTML, with the URL of its quote. Unknown handles remain plain text. */
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
