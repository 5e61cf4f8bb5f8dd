import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const remove = statement<{ params: { announcementId: string }; row: { id: string } }>(
  `delete from announcements where id = $announcementId returning id`,
)

/** Takes an announcement away, with all reactions to it. @throws NotFound */
export async function removeAnnouncement(tx: Tx, { announcementId }: { announcementId: string }): Promise<void> {
  if (!isId(announcementId) || (await remove(tx.db, { announcementId })).length === 0) {
    throw new NotFound(`There is no announcement ${announcementId}`)
  }
  tx.emit('announcement.ended', { announcementId })
}
