import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const remove = statement<{ params: { announcementId: string }; row: { id: string } }>(
  `delete from announcements where id = $announcementId returning id`,
)

/** Deletes an announcement with all its reactions. @throws NotFoundError */
export async function removeAnnouncement(tx: Tx, { announcementId }: { announcementId: string }): Promise<void> {
  if (!isId(announcementId) || (await remove(tx.db, { announcementId })).length === 0) {
    throw new NotFoundError(`There is no announcement ${announcementId}`)
  }
  tx.emit('announcement.ended', { announcementId })
}
