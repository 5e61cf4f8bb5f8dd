import { formatRemoteText } from '../../../lib/html/format-status.ts'
import type { ResolvedMention } from '../../../lib/html/format-status.ts'
import { MAX_HTML_LENGTH } from '../../../lib/html/sanitize.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { idOf, isOfType, lineOf, objectsOf, textOf } from '../../wire/read-values.ts'
import { LIMITS } from './limits.ts'

const MENTION = new Set(['Mention'])

/** Tags that occur in HTML, and hardly in text that people write. Markdown can contain HTML. */
const HTML_TAG = /<\/?(?:a|b|blockquote|br|code|div|em|i|li|ol|p|pre|span|strong|u|ul)(?:\s[^<>]*)?\/?>/i

/**
 * Returns the HTML of a content that its media type declares as plain text or Markdown, as that of PeerTube's comments
 * is; null for HTML. As HTML, it would lose its line breaks, and all that resembles a tag.
 */
export function readPlainText(object: WireObject): string | null {
  const type = lineOf(object['mediaType'], 255)?.toLowerCase().split(';')[0]?.trim()
  if (type !== 'text/plain' && type !== 'text/markdown') return null
  const text = textOf(object['content'], MAX_HTML_LENGTH) ?? ''
  if (type === 'text/markdown' && HTML_TAG.test(text)) return null
  return formatRemoteText({ text, mentions: readMentions(object) })
}

function readMentions(object: WireObject): ResolvedMention[] {
  return objectsOf(object['tag'], LIMITS.tags).flatMap((tag) => {
    const url = isOfType(tag, MENTION) ? idOf(tag['href']) : null
    const handle = url === null ? null : parseHandle(lineOf(tag['name'], LIMITS.username) ?? undefined)
    if (url === null || !handle) return []
    const { username, domain } = handle
    return [{ username, domain, acct: domain === null ? username : `${username}@${domain}`, url }]
  })
}
