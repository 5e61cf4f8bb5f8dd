import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { recordAnnouncementAction } from './record-announcement-action.ts'

const remove = statement<{ params: { id: string }; row: { text: string; published: boolean } }>(
  `delete from announcements where id = $id returning text, published_at is not null as published`,
)

/** Deletes an announcement with all its reactions. @throws NotFoundError */
export async function removeAnnouncement(
  tx: Tx,
  { by, announcementId }: { by: Actor; announcementId: string },
): Promise<void> {
  const [removed] = isId(announcementId) ? await remove(tx.db, { id: announcementId }) : []
  if (!removed) throw new NotFoundError()
  await recordAnnouncementAction(tx, { by, action: 'delete', id: announcementId, text: removed.text })
  if (removed.published) tx.emit('announcement.ended', { announcementId })
}
