import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { removeTombstone } from '../../core/tombstones.ts'
import { restoreQuotes } from '../../quotes/restore-quotes.ts'
import { adjustOriginCounters } from '../counters/adjust-origin-counters.ts'
import { lockStatusCounters } from '../counters/lock-status-counters.ts'
import { blocksReplier } from '../counters/recount-replies.ts'
import { linkReplies } from '../remote/link-replies.ts'
import { lockReferencedStatuses } from '../write/delete-status.ts'
import { RETENTION_DAYS } from '../write/purge-hidden-statuses.ts'

interface RestorableRow {
  uri: string
  owner_uri: string
  visibility: string
  in_reply_to_id: string | null
  quoted_status_id: string | null
  reply_ids: string[]
}

/**
 * SQL condition: staff deleted the status `s` and can restore it, until it is purged. `r` is the alias of its row in
 * `restorable_statuses`.
 */
export const IS_RESTORABLE = `(r.status_id = s.id and s.deleted_at > $now::timestamptz - make_interval(days => ${RETENTION_DAYS}))`

// A purge that runs now either has locked the status, so that no row is left, or skips it.
const lockRestorable = statement<{
  params: { statusId: string; accountId: string; now: Date }
  row: RestorableRow
}>(
  `select s.uri, a.uri as owner_uri, s.visibility, s.in_reply_to_id,
     (select q.quoted_status_id from quotes q where q.status_id = s.id) as quoted_status_id, r.reply_ids
   from statuses s join accounts a on a.id = s.account_id join restorable_statuses r on ${IS_RESTORABLE}
   where s.id = $statusId and s.account_id = $accountId for update of s`,
)
const removeRecord = statement<{ params: { statusId: string } }>(
  `delete from restorable_statuses where status_id = $statusId`,
)
const show = statement<{ params: { statusId: string; now: Date } }>(
  `update statuses set deleted_at = null, restored_at = $now, version = version + 1 where id = $statusId`,
)
const attachReplies = statement<{ params: { statusId: string; replyIds: readonly string[] } }>(
  `update statuses set in_reply_to_id = $statusId, version = version + 1
   where id = any($replyIds::bigint[]) and in_reply_to_id is null`,
)
const count = statement<{ params: { statusId: string } }>(
  `update status_stats st set favourites_count = (select count(*) from favourites f where f.status_id = st.status_id),
     reblogs_count = (select count(*) from statuses b where b.reblog_of_id = st.status_id and b.deleted_at is null),
     quotes_count = (select count(*) from quotes q where q.quoted_status_id = st.status_id and q.state = 'accepted'),
     replies_count = (select count(*) from statuses p join statuses r on r.in_reply_to_id = p.id
       where p.id = st.status_id and r.deleted_at is null and r.visibility in ('public', 'unlisted')
         and not ${blocksReplier('p.account_id', 'r.account_id')})
   where st.status_id = $statusId`,
)
const incrementReplies = statement<{ params: { inReplyToId: string; accountId: string } }>(
  `update status_stats set replies_count = replies_count + 1
   where status_id = $inReplyToId
     and not exists (select from statuses p where p.id = $inReplyToId
       and ${blocksReplier('p.account_id', '$accountId::bigint')})`,
)
const incrementStatuses = statement<{ params: { accountId: string } }>(
  `update account_stats set statuses_count = statuses_count + 1 where account_id = $accountId`,
)

/**
 * Makes a status visible again that staff deleted, with its media, its poll, its replies and the quotes of it.
 * Favourites, bookmarks, boosts, notifications and the pin ended with the deletion. Returns false, and does nothing, if
 * the status cannot be restored: it is not deleted, its author deleted it, or it is purged. The caller has locked the
 * counters of the author.
 */
export async function restoreStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<boolean> {
  await lockReferencedStatuses(tx.db, { statusId, accountId })
  const [status] = await lockRestorable(tx.db, { statusId, accountId, now: tx.now })
  if (!status) return false
  const { uri, owner_uri: ownerUri, visibility, in_reply_to_id: inReplyToId, quoted_status_id: quotedId } = status
  await removeRecord(tx.db, { statusId })
  await show(tx.db, { statusId, now: tx.now })
  await removeTombstone(tx, { uri, ownerUri })
  await attachReplies(tx.db, { statusId, replyIds: status.reply_ids })
  await lockStatusCounters(tx, { ids: [statusId, inReplyToId, quotedId].filter((id) => id !== null) })
  await restoreQuotes(tx, { statusId })
  // Replies that arrived in the meantime.
  await linkReplies(tx, { id: statusId, uri })
  await count(tx.db, { statusId })
  if (visibility !== 'direct') await incrementStatuses(tx.db, { accountId })
  if (inReplyToId !== null && (visibility === 'public' || visibility === 'unlisted')) {
    await incrementReplies(tx.db, { inReplyToId, accountId })
    await adjustOriginCounters(tx, { statusIds: [inReplyToId], counter: 'replies', by: 1 })
  }
  tx.emit('status.restored', { statusId })
  return true
}
