import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { fileStatuses } from '../conversations/file.ts'
import { isAnswerable } from './answerable.ts'
import { isNews } from './news.ts'

/** How far below a reply its own replies are looked for. */
const MAX_DEPTH = 200

// The replies that wait for `$uri`, and all below them. `addressee`: the account replied to now, null if that stays the same.
const below = (addressee: string, condition = 'true') => `with recursive below (id, account_id, addressee, depth) as (
     select r.id, r.account_id, ${addressee}, 0
     from statuses r where r.in_reply_to_uri = $uri and r.in_reply_to_id is null and r.id is distinct from $id::bigint
       and r.deleted_at is null and ${condition}
     union all
     select s.id, s.account_id, case when s.account_id = below.account_id then below.addressee end, below.depth + 1
     from below join statuses s on s.in_reply_to_id = below.id where below.depth < ${MAX_DEPTH}
   ) cycle id set looped using trail`

// A reply to a status that its author cannot see is treated as a reply to an unknown status.
const canSeeParent = `exists (select from statuses p
  where p.id = $id and ${isAnswerable({ author: 'r.account_id', visibility: 'r.visibility', parent: 'p' })})`

const adopt = statement<{
  params: { id: string; uri: string; accountId: string; inReplyToAccountId: string | null; conversationId: string }
  row: { id: string; depth: number; visibility: string; created_at: Date }
}>(
  `${below('case when r.account_id = $accountId then coalesce($inReplyToAccountId::bigint, $accountId::bigint) else $accountId end', canSeeParent)}
   update statuses s set in_reply_to_id = case when below.depth = 0 then $id else s.in_reply_to_id end,
     in_reply_to_account_id = coalesce(below.addressee, s.in_reply_to_account_id), conversation_id = $conversationId,
     version = s.version + case when below.addressee is null then 0 else 1 end
   from below where s.id = below.id and not below.looped
   returning s.id, below.depth, s.visibility, s.created_at`,
)
const tellLost = statement<{ params: { id: string | null; uri: string; accountId: string } }>(
  `${below('$accountId::bigint')}
   update statuses s set in_reply_to_account_id = below.addressee, version = s.version + 1
   from below where s.id = below.id and not below.looped
     and below.addressee is distinct from s.in_reply_to_account_id and below.addressee is not null`,
)
const countReplies = statement<{ params: { statusId: string; length: number } }>(
  `insert into status_stats (status_id, replies_count) values ($statusId, $length)
   on conflict (status_id) do update set replies_count = status_stats.replies_count + $length`,
)

/**
 * Gives a status the replies that came before it, and all that hangs on them its thread. Those that are still news
 * come into the feeds of the people who know both sides now.
 */
export async function adoptReplies(
  tx: Tx,
  {
    id,
    uri,
    accountId,
    inReplyToAccountId,
    conversationId,
  }: { id: string; uri: string; accountId: string; inReplyToAccountId: string | null; conversationId: string },
): Promise<void> {
  const rows = await adopt(tx.db, { id, uri, accountId, inReplyToAccountId, conversationId })
  const replies = rows.filter((row) => row.depth === 0)
  const counted = replies.filter((row) => row.visibility === 'public' || row.visibility === 'unlisted')
  if (counted.length > 0) await countReplies(tx.db, { statusId: id, length: counted.length })
  const moved = rows.filter((row) => row.visibility === 'direct')
  if (moved.length > 0) await fileStatuses(tx, { statusIds: moved.map((row) => row.id), newcomerIds: [] })
  for (const reply of replies) {
    if (isNews(tx, reply.created_at)) tx.emit('status.joined_thread', { statusId: reply.id })
  }
}

/** Tells the replies to a status that was deleted before it came whom they are for. */
export async function disappointReplies(tx: Tx, { uri, accountId }: { uri: string; accountId: string }): Promise<void> {
  await tellLost(tx.db, { id: null, uri, accountId })
}
