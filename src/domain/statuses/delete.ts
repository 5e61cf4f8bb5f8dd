import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { loseQuotes } from '../quotes/lose.ts'
import { isEvidence } from '../reports/is-evidence.ts'
import { shiftOriginCounter } from './shift-origin-counter.ts'
import { bury } from '../tombstones.ts'
import { unboostStatus } from './boost.ts'
import { blocksReplier } from './count-replies.ts'
import { hideStatus, shareMedia } from './hide.ts'

interface Doomed {
  id: string
  uri: string
  local: boolean
  local_only: boolean
  owner_uri: string
  text: string
  visibility: string
  in_reply_to_id: string | null
  reblog_of_id: string | null
}

// What it answers and quotes first, in the order in which their deletion comes to this one.
const holdAbove = statement<{ params: { statusId: string; accountId: string } }>(
  `select from statuses where id = any(
     array(select in_reply_to_id from statuses where id = $statusId and account_id = $accountId)
     || array(select quoted_status_id from quotes where status_id = $statusId and account_id = $accountId))
   order by id for key share`,
)
const lockOwn = statement<{ params: { statusId: string; accountId: string }; row: Doomed }>(
  `select s.id, s.uri, s.local, s.local_only, a.uri as owner_uri, s.text, s.visibility, s.in_reply_to_id, s.reblog_of_id
   from statuses s join accounts a on a.id = s.account_id
   where s.id = $statusId and s.account_id = $accountId and s.deleted_at is null for update of s`,
)
const findBoosts = statement<{ params: { statusId: string }; row: { id: string; account_id: string } }>(
  `select id, account_id from statuses where reblog_of_id = $statusId and deleted_at is null
    order by account_id for update`,
)
const removeMedia = statement<{
  params: { statusId: string }
  row: { file_key: string | null; preview_key: string | null }
}>(`delete from media_attachments where status_id = $statusId returning file_key, preview_key`)
const freeMedia = statement<{ params: { statusId: string; now: Date } }>(
  `update media_attachments set status_id = null, detached_at = $now, withdrawn_at = null where status_id = $statusId`,
)
const findMentioned = statement<{ params: { statusId: string }; row: { account_id: string } }>(
  `select account_id from mentions where status_id = $statusId`,
)
const findTags = statement<{ params: { statusId: string }; row: { name: string } }>(
  `select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = $statusId order by t.name`,
)
const findReached = statement<{ params: { statusId: string }; row: { id: string } }>(
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
const orphanReplies = statement<{ params: { statusId: string } }>(
  `update statuses set in_reply_to_id = null, version = version + 1 where in_reply_to_id = $statusId`,
)
const remove = statement<{ params: { statusId: string } }>(`delete from statuses where id = $statusId`)
const discount = statement<{ params: { authors: readonly string[] } }>(
  `update account_stats st set statuses_count = greatest(0, st.statuses_count - gone.n)
   from (select account_id, count(*) as n from unnest($authors::bigint[]) account_id group by account_id) gone
   where st.account_id = gone.account_id`,
)
const discountReply = statement<{ params: { inReplyToId: string; accountId: string } }>(
  `update status_stats set replies_count = greatest(0, replies_count - 1)
   where status_id = $inReplyToId
     and not exists (select from statuses p where p.id = $inReplyToId
       and ${blocksReplier('p.account_id', '$accountId::bigint')})`,
)

/**
 * Deletes one's own status with its boosts; of a boost, it takes that back. Its uploads become free again, so that the author can post it anew,
 * unless `deleteMedia` says otherwise. What came from elsewhere does not come back, and what other servers could see is
 * remembered as gone. What moderators have still to look at stays for them, and nobody else can tell. Returns the text
 * as it was typed.
 * @throws NotFound also for somebody else's status
 */
export async function deleteStatus(
  tx: Tx,
  { accountId, statusId, deleteMedia = false }: { accountId: string; statusId: string; deleteMedia?: boolean },
): Promise<{ text: string }> {
  await holdAbove(tx.db, { statusId, accountId })
  const [status] = await lockOwn(tx.db, { statusId, accountId })
  if (!status) throw new NotFound()
  if (status.reblog_of_id !== null) {
    await unboostStatus(tx, { accountId, statusId })
    return { text: '' }
  }
  const boosts = await findBoosts(tx.db, { statusId })
  const isKept = await isEvidence(tx, { accountId, statusId })
  const givesBack = status.local && !deleteMedia
  const media = isKept || givesBack ? [] : await removeMedia(tx.db, { statusId })
  if (givesBack && isKept) await shareMedia(tx, { statusId })
  else if (givesBack) await freeMedia(tx.db, { statusId, now: tx.now })
  const mentioned = await findMentioned(tx.db, { statusId })
  const tags = await findTags(tx.db, { statusId })
  const reached = status.local ? await findReached(tx.db, { statusId }) : []
  await orphanReplies(tx.db, { statusId })
  const countedIds = status.in_reply_to_id === null ? [] : [status.in_reply_to_id]
  if (!isKept) await loseQuotes(tx, { statusIds: [statusId], countedIds })
  if (!status.local || isOpen(status)) await bury(tx, { uri: status.uri, ownerUri: status.owner_uri })
  if (isKept) await hideStatus(tx, { statusId })
  else await remove(tx.db, { statusId })
  const authors = boosts.map((boost) => boost.account_id)
  if (status.visibility !== 'direct') authors.push(accountId)
  if (authors.length > 0) await discount(tx.db, { authors })
  if (status.in_reply_to_id && (status.visibility === 'public' || status.visibility === 'unlisted')) {
    await discountReply(tx.db, { inReplyToId: status.in_reply_to_id, accountId })
    await shiftOriginCounter(tx, { statusId: status.in_reply_to_id, counter: 'replies', by: -1 })
  }
  tx.emit('status.deleted', {
    statusId,
    uri: status.uri,
    local: status.local,
    localOnly: status.local_only,
    accountId,
    visibility: status.visibility,
    mentionedIds: mentioned.map((one) => one.account_id),
    tags: tags.map((one) => one.name),
    boosts: boosts.map((boost) => ({ id: boost.id, accountId: boost.account_id })),
    reachedIds: reached.map((one) => one.id),
    mediaKeys: media.flatMap((one) => [one.file_key, one.preview_key]).filter((key) => key !== null),
  })
  return { text: status.text }
}

/** Whether every other server could see it. */
function isOpen({ local_only: localOnly, visibility }: Doomed): boolean {
  return !localOnly && (visibility === 'public' || visibility === 'unlisted')
}
