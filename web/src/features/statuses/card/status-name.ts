import type { Account } from '../../../lib/api/entities.ts'
import { formatAge } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { excerptOf, QUOTE_LINK_CLASS } from '../content/status-text.ts'
import type { StoredStatus } from '../status-store.ts'

/** Returns what screen readers read for a status: author, content warning or text, media, time, and who boosted it. */
export function nameOf(status: StoredStatus, booster: Account | null): string {
  const { account, spoilerText, content = '', quote, mediaAttachments } = status
  const media = mediaAttachments.length
  return [
    account.displayName || account.username,
    spoilerText || excerptOf(content, quote ? QUOTE_LINK_CLASS : undefined),
    media > 0 ? message('web.status.media-count', { count: media }) : '',
    formatAge(new Date(status.createdAt), new Date()),
    booster ? message('web.status.boosted-by', { name: booster.displayName || booster.username }) : '',
  ]
    .filter(Boolean)
    .join(', ')
}
