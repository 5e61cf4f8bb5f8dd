import type { CachedRead } from '../../domain/context.ts'
import type { Status, StatusContent, StatusCounters, StatusForViewer } from '../../entities/statuses/status.ts'
import { entityJson } from '../../lib/json/entity-json.ts'
import type { Complete } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { openStatusRenderer } from './render-statuses.ts'
import { loadStatusContents, statusContent } from './status-content.ts'
import type { StatusContentRow } from './status-content.ts'
import { statusCounters } from './status-records.ts'

type StatusFields = Complete<StatusContent> & Complete<StatusCounters> & Complete<StatusForViewer>

/** Values of the fields that depend on the content, for a status without content. */
const WITHOUT_CONTENT = {
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
  tagged_collections: [],
  quote: null,
  reblog: null,
  filtered: [],
} satisfies Partial<Status>

/**
 * Returns a status that the viewer can no longer see, for the response to undoing an interaction with it or to deleting
 * an own reblog: its id and the viewer state, without the content.
 * @throws NotFoundError
 */
export async function renderHiddenStatus(
  read: CachedRead,
  { id, viewerId }: { id: string; viewerId: string },
): Promise<EntityJson<Status>> {
  const { fields } = await loadFields(read, { id, viewerId, withheld: false })
  return entityJson<Status>({ ...fields, ...WITHOUT_CONTENT })
}

/**
 * Returns a status for the response to its deletion: with the text as typed instead of the content, and with a quoted
 * status even if its author did not accept the quote. Mastodon: DELETE /api/v1/statuses/:id.
 * @throws NotFoundError
 */
export async function renderStatusToDelete(
  read: CachedRead,
  { id, viewerId }: { id: string; viewerId: string },
): Promise<EntityJson<Status>> {
  const { row, fields } = await loadFields(read, { id, viewerId, withheld: true })
  return entityJson<Status>({ ...fields, content: undefined, text: row.text })
}

/** Returns all fields of a status as an object, so that they can be altered before they are serialised. */
async function loadFields(
  read: CachedRead,
  { id, viewerId, withheld }: { id: string; viewerId: string; withheld: boolean },
): Promise<{ row: StatusContentRow; fields: StatusFields }> {
  const [{ renderer, context, records }, [row]] = await Promise.all([
    openStatusRenderer(read, { ids: [id], viewerId, withheld }),
    loadStatusContents(read, { ids: [id] }),
  ])
  const forViewer = renderer.fieldsForViewer(id, context)
  const record = records.get(id)
  if (forViewer === null || !record || !row) throw new NotFoundError()
  const { config } = read
  return { row, fields: { ...statusContent(config, row), ...statusCounters(config, record.row), ...forViewer } }
}
