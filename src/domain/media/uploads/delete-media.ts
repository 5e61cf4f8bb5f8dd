import { NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

const lock = statement<{ params: { id: string; accountId: string }; row: { is_used: boolean } }>(
  `select status_id is not null or scheduled_status_id is not null as is_used from media_attachments
   where id = $id and account_id = $accountId for update`,
)
const remove = statement<{ params: { id: string }; row: { file_key: string | null; preview_key: string | null } }>(
  `delete from media_attachments where id = $id returning file_key, preview_key`,
)

/**
 * Deletes an upload that belongs to no status and to no scheduled one (Mastodon: DELETE /api/v1/media/:id).
 * @throws NotFoundError, also for another user's upload; UnprocessableError if it is used
 */
export async function deleteMedia(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [found] = await lock(tx.db, { id, accountId })
  if (!found) throw new NotFoundError()
  if (found.is_used) throw new UnprocessableError('Media attachment is currently used by a status')
  const [deleted] = await remove(tx.db, { id })
  const mediaKeys = [deleted!.file_key, deleted!.preview_key].filter((key) => key !== null)
  tx.emit('media.removed', { mediaKeys })
}
