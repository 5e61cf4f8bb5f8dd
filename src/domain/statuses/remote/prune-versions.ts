import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

/**
 * How many of the newest versions of a remote status are stored, including the current one, beside the first version.
 */
const NEWEST_VERSIONS = 50

// The current version is not in the history yet.
const deleteVersions = statement<{ params: { statusId: string }; row: { id: string } }>(
  `delete from status_edits where id = any(array(
     select e.id from status_edits e
     where e.status_id = $statusId and e.id > (select min(id) from status_edits where status_id = $statusId)
     order by e.id desc offset ${NEWEST_VERSIONS - 1}))
   returning id`,
)
const removeMedia = statement<{ params: { statusId: string } }>(
  `delete from media_attachments m
   where m.status_id = $statusId and m.withdrawn_at is not null and m.remote_url is not null and not exists (
     select from status_edits e, jsonb_array_elements(e.media) item
     where e.status_id = $statusId and item ->> 'id' = m.id::text)`,
)

/**
 * Deletes versions of a remote status that are neither the first one nor among the newest, with the attachments that
 * only these versions had. Otherwise a remote author could make this server store any number of versions.
 */
export async function pruneVersions(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  const deleted = await deleteVersions(tx.db, { statusId })
  if (deleted.length > 0) await removeMedia(tx.db, { statusId })
}
