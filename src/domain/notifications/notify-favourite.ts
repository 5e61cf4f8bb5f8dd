import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

// The status first: its deletion, which takes the favourite along, locks them in that order too.
const find = statement<{ params: { accountId: string; statusId: string }; row: { author_id: string } }>(
  `select s.account_id as author_id from favourites f join statuses s on s.id = f.status_id
   where f.account_id = $accountId and f.status_id = $statusId and s.deleted_at is null for key share of s, f`,
)

/** Effect: tells the author of a favourite that was not taken back. */
export async function notifyFavourite(
  ctx: Ctx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const recipientIds = (await find(tx.db, { accountId, statusId })).map((row) => row.author_id)
    await notify(tx, { kind: 'favourite', fromAccountId: accountId, statusId, recipientIds })
  })
}
