import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

const find = statement<{
  params: { statusId: string; newlyMentionedIds: readonly string[] | null }
  row: { author_id: string; account_id: string }
}>(
  `select s.account_id as author_id, m.account_id
   from statuses s join mentions m on m.status_id = s.id
   where s.id = $statusId and s.deleted_at is null and not m.silent
     and ($newlyMentionedIds::bigint[] is null or m.account_id = any($newlyMentionedIds)) for key share of s, m`,
)

/** Effect: notifies the accounts that a status mentions; after an edit, only `newlyMentionedIds`. */
export async function notifyMentions(
  ctx: Ctx,
  { statusId, newlyMentionedIds }: { statusId: string; newlyMentionedIds?: string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    const mentions = await find(tx.db, { statusId, newlyMentionedIds: newlyMentionedIds ?? null })
    const [first] = mentions
    if (!first) return
    const recipientIds = mentions.map((row) => row.account_id)
    await createNotifications(tx, { type: 'mention', fromAccountId: first.author_id, statusId, recipientIds })
  })
}
