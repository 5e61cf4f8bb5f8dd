import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { assignToConversations } from '../../conversations/add-to-conversations.ts'
import { isLinkableReply } from './is-linkable-reply.ts'
import { isRecent } from '../parts/recency.ts'

/** The maximum depth below a linked reply to which its descendants are updated. */
const MAX_DEPTH = 200

// Selects the replies whose missing parent has the URI `$uri`, and all their descendants. `recipient` is the new value
// of `in_reply_to_account_id`, null if that does not change.
const waitingReplies = ({ recipient, from = 'statuses r' }: { recipient: string; from?: string }) =>
  `with recursive below (id, account_id, recipient, depth) as (
     select r.id, r.account_id, ${recipient}, 0
     from ${from} where r.in_reply_to_uri = $uri and r.in_reply_to_id is null and r.deleted_at is null
     union all
     select s.id, s.account_id, case when s.account_id = below.account_id then below.recipient end, below.depth + 1
     from below join statuses s on s.in_reply_to_id = below.id where below.depth < ${MAX_DEPTH}
   ) cycle id set looped using trail`

// A reply to a status that its author cannot see is treated as a reply to an unknown status. The row of the parent is
// read here, because its conversation may have changed since the insertion: another status of the same batch can move
// the thread in which the parent replies.
const linkWaitingReplies = statement<{
  params: { id: string; uri: string }
  row: { id: string; depth: number; visibility: string; created_at: Date }
}>(
  `${waitingReplies({
    recipient: `case when r.account_id = parent.account_id
      then coalesce(parent.in_reply_to_account_id, parent.account_id) else parent.account_id end`,
    from: `statuses parent join statuses r on parent.id = $id and r.id <> parent.id
      and ${isLinkableReply({ author: 'r.account_id', visibility: 'r.visibility', parent: 'parent' })}`,
  })}
   update statuses s set in_reply_to_id = case when below.depth = 0 then $id else s.in_reply_to_id end,
     in_reply_to_account_id = coalesce(below.recipient, s.in_reply_to_account_id),
     conversation_id = parent.conversation_id, version = s.version + case when below.recipient is null then 0 else 1 end
   from below, statuses parent where parent.id = $id and s.id = below.id and not below.looped
   returning s.id, below.depth, s.visibility, s.created_at`,
)
const setDeletedParentRecipient = statement<{ params: { uri: string; accountId: string } }>(
  `${waitingReplies({ recipient: '$accountId::bigint' })}
   update statuses s set in_reply_to_account_id = below.recipient, version = s.version + 1
   from below where s.id = below.id and not below.looped
     and below.recipient is distinct from s.in_reply_to_account_id and below.recipient is not null`,
)
const addReplies = statement<{ params: { statusId: string; count: number } }>(
  `insert into status_stats (status_id, replies_count) values ($statusId, $count)
   on conflict (status_id) do update set replies_count = status_stats.replies_count + $count`,
)

/**
 * Links the replies that arrived before their parent to the parent, and moves them and their descendants into its
 * conversation. Recent replies are added to the feeds that show them only with a known parent (`status.parent_linked`).
 */
export async function linkReplies(tx: Tx, { id, uri }: { id: string; uri: string }): Promise<void> {
  const rows = await linkWaitingReplies(tx.db, { id, uri })
  const replies = rows.filter((row) => row.depth === 0)
  const counted = replies.filter((row) => row.visibility === 'public' || row.visibility === 'unlisted')
  if (counted.length > 0) await addReplies(tx.db, { statusId: id, count: counted.length })
  const directReplies = rows.filter((row) => row.visibility === 'direct')
  if (directReplies.length > 0)
    await assignToConversations(tx, { statusIds: directReplies.map((row) => row.id), newParticipantIds: [] })
  for (const reply of replies) {
    if (isRecent(tx, reply.created_at)) tx.emit('status.parent_linked', { statusId: reply.id })
  }
}

/** Sets the account replied to of the replies to a remote status that was deleted before it was received here. */
export async function recordLostParent(tx: Tx, { uri, accountId }: { uri: string; accountId: string }): Promise<void> {
  await setDeletedParentRecipient(tx.db, { uri, accountId })
}
