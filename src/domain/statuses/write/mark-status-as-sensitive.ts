import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { saveVersion } from '../parts/save-version.ts'

// A status without media and a preview card shows nothing that readers could be spared.
const lockUnmarked = statement<{ params: { statusId: string }; row: { local: boolean } }>(
  `select s.local from statuses s
   where s.id = $statusId and s.deleted_at is null and s.reblog_of_id is null and not s.sensitive
     and (exists (select from media_attachments m where m.status_id = s.id and m.withdrawn_at is null)
       or exists (select from status_preview_links l where l.status_id = s.id and l.card_id is not null))
   for no key update of s`,
)
const mark = statement<{ params: { statusId: string; now: Date } }>(
  `update statuses set sensitive = true, version = version + 1,
     edited_at = case when local then greatest($now::timestamptz, edited_at + interval '1 millisecond',
       created_at + interval '1 millisecond') else edited_at end
   where id = $statusId`,
)

/**
 * Marks a status with media or a preview card as sensitive. The mark of a local status is an edit: the former version
 * is added to the history, and other servers receive an Update. A remote status is marked on this server only. Returns
 * false, and does nothing, for another status, and for one that is marked already.
 */
export async function markStatusAsSensitive(tx: Tx, { statusId }: { statusId: string }): Promise<boolean> {
  const [status] = await lockUnmarked(tx.db, { statusId })
  if (!status) return false
  if (status.local) await saveVersion(tx, { statusId })
  await mark(tx.db, { statusId, now: tx.now })
  if (status.local) tx.emit('status.updated', { statusId, newlyMentionedIds: [] })
  return true
}
