import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

// Locks the status before the favourite, in the same order as its deletion, which cascades to the favourites.
const find = statement<{ params: { accountId: string; statusId: string }; row: { author_id: string } }>(
  `select s.account_id as author_id from favourites f join statuses s on s.id = f.status_id
   where f.account_id = $accountId and f.status_id = $statusId and s.deleted_at is null for key share of s, f`,
)

/** Effect: notifies the author of a favourite, unless it has been undone. */
export async function notifyFavourite(
  ctx: Ctx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const recipientIds = (await find(tx.db, { accountId, statusId })).map((row) => row.author_id)
    await createNotifications(tx, { type: 'favourite', fromAccountId: accountId, statusId, recipientIds })
  })
}
