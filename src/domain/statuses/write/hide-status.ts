import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

/** Tables with a `status_id` whose rows are deleted when a status is hidden. */
export const HIDDEN_WITH_STATUS = [
  'account_conversation_statuses',
  'bookmarks',
  'favourites',
  'filter_statuses',
  'idempotency_keys',
  'notifications',
  'status_pins',
  'status_trend_reviews',
  'status_search_entries',
  'thread_refreshes',
  'trending_statuses',
]

const removals = HIDDEN_WITH_STATUS.map((table) =>
  statement<{ params: { statusId: string } }>(`delete from ${table} where status_id = $statusId`),
)
const removeReblogs = statement<{ params: { reblogIds: readonly string[] } }>(
  `delete from statuses where id = any($reblogIds::bigint[])`,
)
const hide = statement<{ params: { statusId: string; now: Date } }>(
  `update statuses set deleted_at = $now, version = version + 1 where id = $statusId`,
)

/**
 * Hides a locked status as if it were deleted, and deletes all interactions with it, but of its reblogs only these. Only
 * its content is retained, for the staff who manage reports, until `purgeHiddenStatuses` deletes it. The caller has
 * detached its quotes.
 */
export async function hideStatus(
  tx: Tx,
  { statusId, reblogIds }: { statusId: string; reblogIds: readonly string[] },
): Promise<void> {
  await removeReblogs(tx.db, { reblogIds })
  for (const remove of removals) await remove(tx.db, { statusId })
  await hide(tx.db, { statusId, now: tx.now })
}

const copyMedia = statement<{ params: { statusId: string } }>(
  `insert into media_attachments (account_id, status_id, position, type, file_key, preview_key, content_type, byte_size,
     meta, blurhash, description, created_at, detached_at, withdrawn_at, remote_url, preview_remote_url)
   select account_id, status_id, position, type, file_key, preview_key, content_type, byte_size, meta, blurhash,
     description, created_at, null, withdrawn_at, remote_url, preview_remote_url
   from media_attachments where status_id = $statusId order by id`,
)
const PAIRS = `select o.id as original_id, c.id as copy_id
  from media_attachments o join media_attachments c on c.status_id = o.status_id and c.file_key = o.file_key and c.id > o.id
  where o.status_id = $statusId`
// The versions in the history refer to their attachments by id.
const replaceMediaIdsInHistory = statement<{ params: { statusId: string } }>(
  `update status_edits e set media = (
     select jsonb_agg(case when pair.copy_id is null then item else jsonb_set(item, '{id}', to_jsonb(pair.copy_id::text)) end
       order by place)
     from jsonb_array_elements(e.media) with ordinality attached (item, place)
       left join (${PAIRS}) pair on pair.original_id = (item ->> 'id')::bigint)
   where e.status_id = $statusId and jsonb_array_length(e.media) > 0`,
)
const detachOriginals = statement<{ params: { statusId: string; now: Date } }>(
  `update media_attachments m set status_id = null, detached_at = $now, withdrawn_at = null
   from (${PAIRS}) pair where m.id = pair.original_id`,
)

/**
 * Detaches the uploads of a status, so that the author can post them again under the same ids. The status gets copies
 * of the rows that refer to the same files; a file is not deleted while any row refers to it.
 */
export async function returnMediaToAuthor(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await copyMedia(tx.db, { statusId })
  await replaceMediaIdsInHistory(tx.db, { statusId })
  await detachOriginals(tx.db, { statusId, now: tx.now })
}
