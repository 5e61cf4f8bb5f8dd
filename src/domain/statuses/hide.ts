import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { forsakeQuotes } from '../quotes/lose.ts'

/** Tables with a `status_id` whose rows are deleted when a status is hidden. */
export const HIDDEN_WITH_STATUS = [
  'account_conversation_statuses',
  'bookmarks',
  'favourites',
  'filter_statuses',
  'idempotency_keys',
  'notifications',
  'pins',
  'reviewed_statuses',
  'status_words',
  'thread_refreshes',
  'trending_statuses',
]

const removals = HIDDEN_WITH_STATUS.map((table) =>
  statement<{ params: { statusId: string } }>(`delete from ${table} where status_id = $statusId`),
)
const removeBoosts = statement<{ params: { statusId: string } }>(`delete from statuses where reblog_of_id = $statusId`)
const hide = statement<{ params: { statusId: string; now: Date } }>(
  `update statuses set deleted_at = $now, version = version + 1 where id = $statusId`,
)

/**
 * Takes away a status that is held as if it were deleted, with everything that others did with it; only what it said
 * stays, for those who manage reports, until `removeHidden` comes by.
 */
export async function hideStatus(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await forsakeQuotes(tx, { statusIds: [statusId] })
  await removeBoosts(tx.db, { statusId })
  for (const remove of removals) await remove(tx.db, { statusId })
  await hide(tx.db, { statusId, now: tx.now })
}

const copy = statement<{ params: { statusId: string } }>(
  `insert into media_attachments (account_id, status_id, position, type, file_key, preview_key, content_type, byte_size,
     meta, blurhash, description, created_at, detached_at, withdrawn_at, remote_url, preview_remote_url)
   select account_id, status_id, position, type, file_key, preview_key, content_type, byte_size, meta, blurhash,
     description, created_at, null, withdrawn_at, remote_url, preview_remote_url
   from media_attachments where status_id = $statusId order by id`,
)
const PAIRS = `select o.id as original_id, c.id as copy_id
  from media_attachments o join media_attachments c on c.status_id = o.status_id and c.file_key = o.file_key and c.id > o.id
  where o.status_id = $statusId`
// What earlier versions showed is found by its id.
const renameInHistory = statement<{ params: { statusId: string } }>(
  `update status_edits e set media = (
     select jsonb_agg(case when pair.copy_id is null then item else jsonb_set(item, '{id}', to_jsonb(pair.copy_id::text)) end
       order by place)
     from jsonb_array_elements(e.media) with ordinality shown (item, place)
       left join (${PAIRS}) pair on pair.original_id = (item ->> 'id')::bigint)
   where e.status_id = $statusId and jsonb_array_length(e.media) > 0`,
)
const free = statement<{ params: { statusId: string; now: Date } }>(
  `update media_attachments m set status_id = null, detached_at = $now, withdrawn_at = null
   from (${PAIRS}) pair where m.id = pair.original_id`,
)

/**
 * Gives the uploads of a status back to its author, who may post them anew under the same ids; the status keeps rows of
 * its own for the same files, which stay as long as any row shows them.
 */
export async function shareMedia(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await copy(tx.db, { statusId })
  await renameInHistory(tx.db, { statusId })
  await free(tx.db, { statusId, now: tx.now })
}
