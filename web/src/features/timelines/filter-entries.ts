import type { ClientSettings } from '../../lib/settings.ts'
import { statusStore } from '../statuses/status-store.ts'
import type { TimelineEntry } from './timeline-store.ts'

/** Returns the entries without the boosts and the replies that the user does not want to see. Self-replies stay. */
export function filterEntries(
  entries: readonly TimelineEntry[],
  { showBoosts, showReplies }: Pick<ClientSettings, 'showBoosts' | 'showReplies'>,
): readonly TimelineEntry[] {
  if (showBoosts && showReplies) return entries
  return entries.filter((entry) => {
    const status = entry.type === 'status' ? statusStore.get(entry.id) : undefined
    if (!status) return true
    if (status.reblogId !== null) return showBoosts
    return showReplies || status.inReplyToAccountId === null || status.inReplyToAccountId === status.account.id
  })
}
