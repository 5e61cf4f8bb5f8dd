import type { Read } from '../domain/context.ts'
import type { ConversationRow } from '../domain/conversations/list.ts'
import type { Conversation } from '../entities/conversation.ts'
import { jsonArray, jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { renderAccountMap } from './accounts.ts'
import { renderStatusMap } from './statuses.ts'

/** Conversations of the viewer, in order. Whether their statuses may be seen has been decided before. */
export async function renderConversations(
  read: Read,
  { rows, viewerId }: { rows: readonly ConversationRow[]; viewerId: string },
): Promise<Json<Conversation>[]> {
  if (rows.length === 0) return []
  const [accounts, statuses] = await Promise.all([
    renderAccountMap(read, { ids: [viewerId, ...rows.flatMap((row) => row.participant_ids)] }),
    renderStatusMap(read, { ids: rows.map((row) => row.status_id), viewerId }),
  ])
  return rows.map(({ id, unread, participant_ids, status_id }) => {
    // Whoever is gone for ever is not there any more.
    const others = participant_ids.flatMap((other) => accounts.get(other) ?? [])
    const self = accounts.get(viewerId)
    return jsonObject<Conversation>({
      id: toJson(id),
      unread: toJson(unread),
      accounts: jsonArray(others.length === 0 && self !== undefined ? [self] : others),
      last_status: statuses.get(status_id) ?? toJson(null),
    })
  })
}
