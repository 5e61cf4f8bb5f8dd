import { statement } from '../../platform/db/connect.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

const find = statement<{ author_id: string; account_id: string }>(
  `select s.account_id as author_id, m.account_id
   from statuses s join mentions m on m.status_id = s.id
   where s.id = $1 and s.deleted_at is null and not m.silent
     and ($2::bigint[] is null or m.account_id = any($2)) for key share of s, m`,
)

/** Effect: tells those whom a new status mentions, or whom an edited one mentions that it did not before. */
export async function notifyMentioned(
  ctx: Ctx,
  { statusId, newlyMentionedIds }: { statusId: string; newlyMentionedIds?: string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    const mentions = await find(tx.db, [statusId, newlyMentionedIds ?? null])
    const [first] = mentions
    if (!first) return
    const recipientIds = mentions.map((row) => row.account_id)
    await notify(tx, { kind: 'mention', fromAccountId: first.author_id, statusId, recipientIds })
  })
}
