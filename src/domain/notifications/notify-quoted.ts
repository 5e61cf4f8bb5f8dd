import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

// The status first: its deletion, which takes the quote along, locks them in that order too.
const find = statement<{
  params: { quoteId: string }
  row: { status_id: string; account_id: string; quoted_account_id: string }
  notNull: 'quoted_account_id'
}>(
  `select q.status_id, q.account_id, q.quoted_account_id from quotes q join statuses s on s.id = q.status_id
   where q.id = $quoteId and q.state = 'accepted' and q.quoted_account_id is not null and s.deleted_at is null
   for key share of s, q`,
)

/** Effect: tells somebody here that they are quoted, unless that has ended already. */
export async function notifyQuoted(ctx: Ctx, { quoteId }: { quoteId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [quote] = await find(tx.db, { quoteId })
    if (!quote) return
    const { status_id: statusId, account_id: fromAccountId, quoted_account_id: recipientId } = quote
    await notify(tx, { kind: 'quote', fromAccountId, statusId, recipientIds: [recipientId] })
  })
}
