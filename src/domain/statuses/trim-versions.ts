import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** Of a status of another server the first version is stored, and the newest ones, with the present one among them. */
const NEWEST_VERSIONS = 50

// The present version is not in the history yet.
const trim = statement<{ params: { statusId: string }; row: { id: string } }>(
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
 * Deletes versions of a status of another server that are neither the first one nor among the newest, with attachments
 * that only they showed. Its author could otherwise make any number of them be stored.
 */
export async function trimVersions(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  const trimmed = await trim(tx.db, { statusId })
  if (trimmed.length > 0) await removeMedia(tx.db, { statusId })
}
