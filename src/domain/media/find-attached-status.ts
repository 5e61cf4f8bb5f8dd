import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

const find = statement<{ params: { mediaId: string }; row: { status_id: string }; notNull: 'status_id' }>(
  `select status_id from media_attachments where id = $mediaId and status_id is not null`,
)

/**
 * Returns the id of the status that a media attachment belongs to. The caller checks whether the viewer may see it.
 * @throws NotFoundError
 */
export async function findAttachedStatus(read: Read, { mediaId }: { mediaId: string }): Promise<string> {
  const [row] = await find(read.db, { mediaId })
  if (!row) throw new NotFoundError()
  return row.status_id
}
