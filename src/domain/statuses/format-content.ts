import { formatStatus } from '../../lib/text/format.ts'
import type { Read } from '../context.ts'
import type { MentionedAccount } from './find-mentions.ts'

/** A text of somebody here as HTML; a handle of nobody stays text. */
export function formatContent(
  { config }: Pick<Read, 'config'>,
  { text, mentions }: { text: string; mentions: readonly MentionedAccount[] },
): string {
  return formatStatus({
    text,
    mentions,
    localDomains: [config.localDomain, config.webDomain],
    tagUrl: (name) => `${config.origin}/tags/${encodeURIComponent(name)}`,
  })
}
