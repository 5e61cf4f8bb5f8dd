import type { CachedRead } from '../../domain/context.ts'
import type { ConversationRow } from '../../domain/conversations/list-conversations.ts'
import type { Conversation } from '../../entities/statuses/conversation.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccountMap } from '../accounts/render-accounts.ts'
import { renderStatusMap } from '../statuses/render-statuses.ts'

/** Returns the viewer's conversations in order. The caller has checked that the viewer may see their statuses. */
export async function renderConversations(
  read: CachedRead,
  { rows, viewerId }: { rows: readonly ConversationRow[]; viewerId: string },
): Promise<EntityJson<Conversation>[]> {
  if (rows.length === 0) return []
  const [accounts, statuses] = await Promise.all([
    renderAccountMap(read, { ids: [viewerId, ...rows.flatMap((row) => row.participant_ids)] }),
    renderStatusMap(read, { ids: rows.map((row) => row.status_id), viewerId }),
  ])
  const self = accounts.get(viewerId)
  return rows.map(({ id, unread, participant_ids, status_id }) => {
    // Omits deleted accounts.
    const others = participant_ids.flatMap((other) => accounts.get(other) ?? [])
    return entityJson<Conversation>({
      id,
      unread,
      accounts: others.length === 0 && self !== undefined ? [self] : others,
      last_status: statuses.get(status_id) ?? null,
    })
  })
}
