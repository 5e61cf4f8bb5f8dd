import type { CachedRead } from '../../domain/context.ts'
import type { ConversationRow } from '../../domain/conversations/list-conversations.ts'
import type { Conversation } from '../../entities/statuses/conversation.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import { takeWithin } from '../../lib/json/json-content.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { renderAccountMap } from '../accounts/render-accounts.ts'
import { renderStatusMap } from '../statuses/render-statuses.ts'

/**
 * The limits of the participants of one conversation: their number, and the length of their JSON. A remote status may
 * mention hundreds of accounts, whose profiles may each have hundreds of kilobytes.
 */
const MAX_ACCOUNTS = 25
const MAX_ACCOUNTS_LENGTH = 128 * 1024

/** How many participants are rendered at a time: those of a usual page. */
const MAX_ACCOUNTS_AT_ONCE = 100

/** Returns the viewer's conversations in order. The caller has checked that the viewer may see their statuses. */
export async function renderConversations(
  read: CachedRead,
  { rows, viewerId }: { rows: readonly ConversationRow[]; viewerId: string },
): Promise<EntityJson<Conversation>[]> {
  const conversations: EntityJson<Conversation>[] = []
  for (const part of partsOf(rows)) conversations.push(...(await renderPart(read, { rows: part, viewerId })))
  return conversations
}

/** Splits conversations so that each part has at most `MAX_ACCOUNTS_AT_ONCE` participants. */
function* partsOf(rows: readonly ConversationRow[]): Generator<ConversationRow[]> {
  let part: ConversationRow[] = []
  let count = 0
  for (const row of rows) {
    const participantIds = row.participant_ids.slice(0, MAX_ACCOUNTS)
    if (count + participantIds.length > MAX_ACCOUNTS_AT_ONCE) {
      yield part
      part = []
      count = 0
    }
    part.push({ ...row, participant_ids: participantIds })
    count += participantIds.length
  }
  if (part.length > 0) yield part
}

async function renderPart(
  read: CachedRead,
  { rows, viewerId }: { rows: readonly ConversationRow[]; viewerId: string },
): Promise<EntityJson<Conversation>[]> {
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
      accounts: others.length === 0 && self !== undefined ? [self] : takeWithin(others, MAX_ACCOUNTS_LENGTH),
      last_status: statuses.get(status_id) ?? null,
    })
  })
}
