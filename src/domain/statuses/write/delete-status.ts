import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import type { ConversationChange } from '../../event-payloads.ts'
import { detachHiddenQuotes, removeQuotes } from '../../quotes/detach-quotes.ts'
import { adjustOriginCounters } from '../counters/adjust-origin-counters.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { recordTombstone } from '../../core/tombstones.ts'
import { unreblogStatus } from '../interactions/reblog-status.ts'
import { uncountReplies } from '../counters/recount-replies.ts'
import { decrementStatusCounts, lockReblogs, shownReblogs } from './delete-reblogs.ts'
import { hideStatus, returnMediaToAuthor } from './hide-status.ts'

interface DeletedRow {
  id: string
  uri: string
  local: boolean
  local_only: boolean
  owner_uri: string
  text: string
  visibility: string
  in_reply_to_id: string | null
  reblog_of_id: string | null
  restored_at: Date | null
  /** The local account to which the status replies, unless it is the author's. */
  local_parent_author_id: string | null
}

// Locks the parent and the quoted status before the status itself. Their own deletion locks in the same order (it
// changes this status afterwards), so two deletions cannot deadlock.
export const lockReferencedStatuses = statement<{ params: { statusId: string; accountId: string } }>(
  `select from statuses where id = any(
     array(select in_reply_to_id from statuses where id = $statusId and account_id = $accountId)
     || array(select quoted_status_id from quotes where status_id = $statusId and account_id = $accountId))
   order by id for key share`,
)
const lockOwnStatus = statement<{ params: { statusId: string; accountId: string }; row: DeletedRow }>(
  `select s.id, s.uri, s.local, s.local_only, a.uri as owner_uri, s.text, s.visibility, s.in_reply_to_id, s.reblog_of_id,
     s.restored_at,
     (select p.id from accounts p where p.id = s.in_reply_to_account_id and p.id <> s.account_id and p.domain is null)
       as local_parent_author_id
   from statuses s join accounts a on a.id = s.account_id
   where s.id = $statusId and s.account_id = $accountId and s.deleted_at is null for update of s`,
)
const removeMedia = statement<{
  params: { statusId: string }
  row: { file_key: string | null; preview_key: string | null }
}>(`delete from media_attachments where status_id = $statusId returning file_key, preview_key`)
const detachMedia = statement<{ params: { statusId: string; now: Date } }>(
  `update media_attachments set status_id = null, detached_at = $now, withdrawn_at = null where status_id = $statusId`,
)
// Imported posts are not delivered, but other servers may have fetched one as the parent of a reply, and have received its
// edits and what other users did with it.
const isFederated = statement<{ params: { statusId: string } }>(
  `select where exists (select from sent_activities where status_id = $statusId)
     or exists (select from status_edits where status_id = $statusId)
     or exists (select from status_pins where status_id = $statusId)
     or exists (select from quotes where quoted_status_id = $statusId)
     or exists (select from statuses r where (r.in_reply_to_id = $statusId or r.reblog_of_id = $statusId)
       and r.deleted_at is null and not exists (select from imported_statuses i where i.status_id = r.id))`,
)
const findMentioned = statement<{ params: { statusId: string }; row: { account_id: string } }>(
  `select account_id from mentions where status_id = $statusId`,
)
const findTags = statement<{ params: { statusId: string }; row: { name: string } }>(
  `select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = $statusId order by t.name`,
)
const findRemoteRecipients = statement<{ params: { statusId: string }; row: { id: string } }>(
  `select distinct on (coalesce(a.shared_inbox_url, a.inbox_url)) a.id
   from accounts a where a.domain is not null and a.suspended_at is null and a.inbox_url is not null and a.id in (
     select account_id from mentions where status_id = $statusId
     union select in_reply_to_account_id from statuses where id = $statusId
     union select account_id from statuses where in_reply_to_id = $statusId or reblog_of_id = $statusId
     union select account_id from favourites where status_id = $statusId
     union select account_id from quotes where quoted_status_id = $statusId and state = 'accepted'
     union select v.account_id from poll_votes v join polls p on p.id = v.poll_id where p.status_id = $statusId)
   order by coalesce(a.shared_inbox_url, a.inbox_url), a.id`,
)
const detachReplies = statement<{ params: { statusId: string } }>(
  `update statuses set in_reply_to_id = null, version = version + 1 where in_reply_to_id = $statusId`,
)
// The replies are recorded, so that staff can attach them again.
const detachRestorableReplies = statement<{ params: { statusId: string } }>(
  `with detached as (
     update statuses set in_reply_to_id = null, version = version + 1 where in_reply_to_id = $statusId returning id
   )
   insert into restorable_statuses (status_id, reply_ids)
   select $statusId, coalesce(array_agg(id order by id), '{}') from detached`,
)
const findConversationsItEnds = statement<{ params: { statusId: string }; row: ConversationChange }>(
  `select c.id, c.account_id as "accountId"
   from account_conversation_statuses e join account_conversations c on c.id = e.account_conversation_id
   where e.status_id = $statusId and not exists (
     select from account_conversation_statuses newer
     where newer.account_conversation_id = c.id and newer.status_id > $statusId)
   order by c.id`,
)
const remove = statement<{ params: { statusId: string } }>(`delete from statuses where id = $statusId`)

/**
 * Deletes a status of the account with its reblogs; if the status is a reblog, undoes it. Returns the source text. The
 * uploads are detached, so that the author can post them again, unless `deleteMedia` is set. A tombstone is recorded
 * for a remote status, so that it is not recorded again, and for a local status that other servers could see. A status
 * that is evidence in a report is only hidden: moderators still see it, and for all others it is deleted. So is one
 * with `restorable`, which staff can restore for some time. `silentIfNotFederated`: no Delete is delivered for an
 * imported post that probably no other server has. A status with many reblogs is hidden at once, which hides all of
 * them; a job deletes the others and then the status.
 * Mastodon: DELETE /api/v1/statuses/:id
 * @throws NotFoundError also for another account's status
 */
export async function deleteStatus(
  tx: Tx,
  {
    accountId,
    statusId,
    deleteMedia = false,
    restorable = false,
    silentIfNotFederated = false,
  }: {
    accountId: string
    statusId: string
    deleteMedia?: boolean
    restorable?: boolean
    silentIfNotFederated?: boolean
  },
): Promise<{ text: string }> {
  await lockReferencedStatuses(tx.db, { statusId, accountId })
  const [status] = await lockOwnStatus(tx.db, { statusId, accountId })
  if (!status) throw new NotFoundError()
  if (status.reblog_of_id !== null) {
    await unreblogStatus(tx, { accountId, statusId: status.reblog_of_id })
    return { text: '' }
  }
  const { reblogs, hasMore } = await lockReblogs(tx, { statusIds: [statusId] })
  const isRetained = restorable || (await isEvidence(tx, { accountId, statusId }))
  const returnsMedia = status.local && !deleteMedia
  const media = isRetained || returnsMedia ? [] : await removeMedia(tx.db, { statusId })
  if (returnsMedia && isRetained) await returnMediaToAuthor(tx, { statusId })
  else if (returnsMedia) await detachMedia(tx.db, { statusId, now: tx.now })
  const mentioned = await findMentioned(tx.db, { statusId })
  const tags = await findTags(tx.db, { statusId })
  const recipients = status.local ? await findRemoteRecipients(tx.db, { statusId }) : []
  const isSilent =
    silentIfNotFederated && recipients.length === 0 && (await isFederated(tx.db, { statusId })).length === 0
  if (restorable) await detachRestorableReplies(tx.db, { statusId })
  else await detachReplies(tx.db, { statusId })
  const countedIds = status.in_reply_to_id === null ? [] : [status.in_reply_to_id]
  await (isRetained ? detachHiddenQuotes : removeQuotes)(tx, { statusIds: [statusId], countedIds })
  const authors = reblogs.map((reblog) => reblog.account_id)
  // A block holds these locks, too, when it deletes notifications and conversations, which are deleted here next.
  await lockAccounts(tx, { ids: [accountId, ...authors] })
  if (!status.local || isPubliclyVisible(status))
    await recordTombstone(tx, { uri: status.uri, ownerUri: status.owner_uri })
  const changes = status.visibility === 'direct' ? await findConversationsItEnds(tx.db, { statusId }) : []
  const reblogIds = reblogs.map(({ id }) => id)
  if (isRetained || hasMore) await hideStatus(tx, { statusId, reblogIds })
  else await remove(tx.db, { statusId })
  if (hasMore) tx.emit('status.reblogs_due', { statusId, accountId, isRetained })
  if (status.visibility !== 'direct') authors.push(accountId)
  if (authors.length > 0) await decrementStatusCounts(tx, { authorIds: authors })
  if (status.in_reply_to_id && (status.visibility === 'public' || status.visibility === 'unlisted')) {
    await uncountReplies(tx, { parentIds: [status.in_reply_to_id] })
    await adjustOriginCounters(tx, { statusIds: [status.in_reply_to_id], counter: 'replies', by: -1 })
  }
  if (changes.length > 0) tx.emit('conversations.changed', { changes })
  tx.emit('status.deleted', {
    statusId,
    uri: status.uri,
    local: status.local,
    localOnly: status.local_only || isSilent,
    ...(status.restored_at !== null && { restoredAt: status.restored_at.getTime() }),
    accountId,
    visibility: status.visibility,
    mentionedIds: mentioned.map((one) => one.account_id),
    tags: tags.map((one) => one.name),
    reblogs: shownReblogs(reblogs),
    ...(status.local_parent_author_id !== null &&
      isPubliclyVisible(status) && { parentAuthorId: status.local_parent_author_id }),
    recipientIds: recipients.map((one) => one.id),
    mediaKeys: media.flatMap((one) => [one.file_key, one.preview_key]).filter((key) => key !== null),
  })
  return { text: status.text }
}

/** Returns whether every other server could see the status. */
function isPubliclyVisible({ local_only: localOnly, visibility }: DeletedRow): boolean {
  return !localOnly && (visibility === 'public' || visibility === 'unlisted')
}

const findUnresolvedReport = statement<{ params: { accountId: string; statusId: string } }>(
  `select from reports where target_account_id = $accountId and action_taken_at is null
    and status_ids @> array[$statusId::bigint]
   limit 1`,
)

/** Returns whether an unresolved report includes a status. The caller has locked the status. */
async function isEvidence(tx: Tx, { accountId, statusId }: { accountId: string; statusId: string }): Promise<boolean> {
  return (await findUnresolvedReport(tx.db, { accountId, statusId })).length > 0
}
