import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const lock = statement<{ params: { id: string; accountId: string }; row: { is_used: boolean } }>(
  `select status_id is not null or scheduled_status_id is not null as is_used from media_attachments
   where id = $id and account_id = $accountId for update`,
)
const remove = statement<{ params: { id: string }; row: { file_key: string | null; preview_key: string | null } }>(
  `delete from media_attachments where id = $id returning file_key, preview_key`,
)

/**
 * Takes an upload back that no status has, nor one that is posted later.
 * @throws NotFound also for somebody else's · Unprocessable for one that is used
 */
export async function deleteMedia(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [found] = await lock(tx.db, { id, accountId })
  if (!found) throw new NotFound()
  if (found.is_used) throw new Unprocessable('Media attachment is currently used by a status')
  const [gone] = await remove(tx.db, { id })
  const mediaKeys = [gone!.file_key, gone!.preview_key].filter((key) => key !== null)
  tx.emit('media.removed', { mediaKeys })
}
