import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { saveVersion } from '../parts/save-version.ts'

// A status without media and a preview card shows nothing that readers could be spared.
const SHOWS_MEDIA = `(exists (select from media_attachments m where m.status_id = s.id and m.withdrawn_at is null)
  or exists (select from status_preview_links l where l.status_id = s.id and l.card_id is not null))`

const lockUnmarked = statement<{ params: { statusId: string }; row: { local: boolean } }>(
  `select s.local from statuses s
   where s.id = $statusId and s.deleted_at is null and s.reblog_of_id is null and not s.sensitive and ${SHOWS_MEDIA}
   for no key update of s`,
)
// A content warning makes a status sensitive independently of its mark.
const lockMarked = statement<{ params: { statusId: string; accountId: string }; row: { id: string } }>(
  `select s.id from statuses s
   where s.id = $statusId and s.account_id = $accountId and s.local and s.deleted_at is null and s.sensitive
     and s.spoiler_text = '' and ${SHOWS_MEDIA}
   for no key update of s`,
)
const setSensitive = statement<{ params: { statusId: string; sensitive: boolean; now: Date } }>(
  `update statuses set sensitive = $sensitive, version = version + 1,
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
  await setSensitive(tx.db, { statusId, sensitive: true, now: tx.now })
  if (status.local) tx.emit('status.updated', { statusId, newlyMentionedIds: [] })
  return true
}

/**
 * Removes the mark of a local status of the account, an edit like the mark itself. Does nothing for another status, for
 * one that is not marked, and for one with a content warning.
 */
export async function unmarkStatusAsSensitive(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  const [status] = await lockMarked(tx.db, { accountId, statusId })
  if (!status) return
  await saveVersion(tx, { statusId })
  await setSensitive(tx.db, { statusId, sensitive: false, now: tx.now })
  tx.emit('status.updated', { statusId, newlyMentionedIds: [] })
}
