import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'

interface Doomed {
  id: string
  text: string
  visibility: string
  in_reply_to_id: string | null
  reblog_of_id: string | null
}

const lockOwn = statement<Doomed>(
  `select id, text, visibility, in_reply_to_id, reblog_of_id from statuses
   where id = $1 and account_id = $2 and deleted_at is null for update`,
)
const findBoosts = statement<{ id: string; account_id: string }>(
  `select id, account_id from statuses where reblog_of_id = $1 and deleted_at is null order by account_id for update`,
)
const removeMedia = statement<{ file_key: string; preview_key: string }>(
  `delete from media_attachments where status_id = $1 returning file_key, preview_key`,
)
const freeMedia = statement(`update media_attachments set status_id = null, detached_at = $2 where status_id = $1`)
const findMentioned = statement<{ account_id: string }>(`select account_id from mentions where status_id = $1`)
const remove = statement(`delete from statuses where id = $1`)
const discount = statement(
  `update account_stats st set statuses_count = greatest(0, st.statuses_count - gone.n)
   from (select account_id, count(*) as n from unnest($1::bigint[]) account_id group by account_id) gone
   where st.account_id = gone.account_id`,
)
const discountReply = statement(
  `update status_stats set replies_count = greatest(0, replies_count - 1) where status_id = $1`,
)

/**
 * Deletes one's own status with its boosts. Its uploads become free again, so that the author can post it anew,
 * unless `deleteMedia` says otherwise. Returns the text as it was typed.
 * @throws NotFound also for somebody else's status
 */
export async function deleteStatus(
  tx: Tx,
  { accountId, statusId, deleteMedia = false }: { accountId: string; statusId: string; deleteMedia?: boolean },
): Promise<{ text: string }> {
  const [status] = await lockOwn(tx.db, [statusId, accountId])
  if (!status) throw new NotFound()
  const boosts = await findBoosts(tx.db, [statusId])
  const media = deleteMedia ? await removeMedia(tx.db, [statusId]) : []
  if (!deleteMedia) await freeMedia(tx.db, [statusId, tx.now])
  const mentioned = await findMentioned(tx.db, [statusId])
  await remove(tx.db, [statusId])
  const authors = boosts.map((boost) => boost.account_id)
  if (status.visibility !== 'direct') authors.push(accountId)
  if (authors.length > 0) await discount(tx.db, [authors])
  if (status.in_reply_to_id && (status.visibility === 'public' || status.visibility === 'unlisted')) {
    await discountReply(tx.db, [status.in_reply_to_id])
  }
  tx.emit('status.deleted', {
    statusId,
    accountId,
    visibility: status.visibility,
    mentionedIds: mentioned.map((one) => one.account_id),
    boosts: boosts.map((boost) => ({ id: boost.id, accountId: boost.account_id })),
    mediaKeys: media.flatMap((one) => [one.file_key, one.preview_key]),
  })
  return { text: status.text }
}
