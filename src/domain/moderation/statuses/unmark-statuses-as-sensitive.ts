import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { editStatus } from '../../statuses/write/edit-status.ts'

// A content warning makes a status sensitive independently of its mark.
const findMarked = statement<{
  params: { accountId: string; statusIds: readonly string[] }
  row: { id: string; text: string; media_ids: string[] }
}>(
  `select s.id, s.text, array_agg(m.id order by m.position, m.id) as media_ids
   from statuses s join media_attachments m on m.status_id = s.id and m.withdrawn_at is null
   where s.id = any($statusIds::bigint[]) and s.account_id = $accountId and s.local and s.deleted_at is null
     and s.sensitive and s.spoiler_text = ''
   group by s.id order by s.id`,
)

/** Removes the mark `sensitive` from those of a local account's statuses that still exist and have media. */
export async function unmarkStatusesAsSensitive(
  tx: Tx,
  { accountId, statusIds }: { accountId: string; statusIds: readonly string[] },
): Promise<void> {
  const marked = await findMarked(tx.db, { accountId, statusIds })
  for (const { id: statusId, text, media_ids: mediaIds } of marked) {
    const revision = { text, spoilerText: '', sensitive: false, mediaIds, mediaChanges: [] }
    await editStatus(tx, { accountId, statusId, revision })
  }
}
