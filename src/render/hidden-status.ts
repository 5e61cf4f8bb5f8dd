import type { Read } from '../domain/context.ts'
import type { Status } from '../entities/status.ts'
import { toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { renderStatus } from './statuses.ts'

/** Whatever somebody says in a status. */
const NOTHING_SAID = {
  edited_at: null,
  content: '',
  spoiler_text: '',
  sensitive: false,
  language: null,
  media_attachments: [],
  mentions: [],
  tags: [],
  emojis: [],
  poll: null,
  card: null,
  quote: null,
  filtered: [],
} satisfies Partial<Status>

/**
 * A status that the viewer may not see any more, for the answer to taking back what they once did with it: which it is and
 * what they did, and nothing that it says. @throws NotFound
 */
export async function renderHiddenStatus(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string },
): Promise<Json<Status>> {
  const status = JSON.parse(await renderStatus(read, { id, viewerId })) as Status
  return toJson({ ...status, ...NOTHING_SAID })
}
