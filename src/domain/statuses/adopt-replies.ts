import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { isNews } from './news.ts'

/** How far below a reply its own replies are looked for. */
const MAX_DEPTH = 200

// $1 id, $2 uri, $3 author, $4 whom it is for or null, $5 conversation. `addressee` is null where it does not change.
const adopt = statement<{ id: string; depth: number; visibility: string; created_at: Date }>(
  `with recursive below (id, account_id, addressee, depth) as (
     select id, account_id, case when account_id = $3 then coalesce($4::bigint, $3::bigint) else $3 end, 0
     from statuses where in_reply_to_uri = $2 and in_reply_to_id is null and id <> $1
     union all
     select s.id, s.account_id, case when s.account_id = below.account_id then below.addressee end, below.depth + 1
     from below join statuses s on s.in_reply_to_id = below.id where below.depth < ${MAX_DEPTH}
   ) cycle id set looped using trail
   update statuses s set in_reply_to_id = case when below.depth = 0 then $1 else s.in_reply_to_id end,
     in_reply_to_account_id = coalesce(below.addressee, s.in_reply_to_account_id), conversation_id = $5,
     version = s.version + case when below.addressee is null then 0 else 1 end
   from below where s.id = below.id and not below.looped
   returning s.id, below.depth, s.visibility, s.created_at`,
)
const countReplies = statement(
  `insert into status_stats (status_id, replies_count) values ($1, $2)
   on conflict (status_id) do update set replies_count = status_stats.replies_count + $2`,
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
  const rows = await adopt(tx.db, [id, uri, accountId, inReplyToAccountId, conversationId])
  const replies = rows.filter((row) => row.depth === 0)
  const counted = replies.filter((row) => row.visibility === 'public' || row.visibility === 'unlisted')
  if (counted.length > 0) await countReplies(tx.db, [id, counted.length])
  for (const reply of replies) {
    if (isNews(tx, reply.created_at)) tx.emit('status.joined_thread', { statusId: reply.id })
  }
}
