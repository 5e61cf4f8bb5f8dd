import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

// Locks the status before the quote, in the same order as its deletion, which cascades to the quote.
const find = statement<{
  params: { quoteId: string }
  row: { status_id: string; account_id: string; quoted_account_id: string }
  notNull: 'quoted_account_id'
}>(
  `select q.status_id, q.account_id, q.quoted_account_id from quotes q join statuses s on s.id = q.status_id
   where q.id = $quoteId and q.state = 'accepted' and q.quoted_account_id is not null and s.deleted_at is null
   for key share of s, q`,
)

/** Effect: notifies a local account that it is quoted, unless the quote has ended. */
export async function notifyQuote(ctx: Ctx, { quoteId }: { quoteId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [quote] = await find(tx.db, { quoteId })
    if (!quote) return
    const { status_id: statusId, account_id: fromAccountId, quoted_account_id: recipientId } = quote
    await createNotifications(tx, { type: 'quote', fromAccountId, statusId, recipientIds: [recipientId] })
  })
}
