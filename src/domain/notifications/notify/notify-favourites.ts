import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createManyNotifications } from '../create/create-notifications.ts'

interface Favourites {
  accountIds: readonly string[]
  statusIds: readonly string[]
}

// Locks a status before its favourites, in the same order as its deletion, which cascades to the favourites.
const select = (lock: string) =>
  statement<{ params: Favourites; row: { status_id: string; author_id: string; account_id: string } }>(
    `select s.id as status_id, s.account_id as author_id, f.account_id
     from unnest($accountIds::bigint[], $statusIds::bigint[]) given (account_id, status_id)
       join favourites f on f.account_id = given.account_id and f.status_id = given.status_id
       join statuses s on s.id = f.status_id join users u on u.account_id = s.account_id
     where s.deleted_at is null order by s.id, f.id ${lock}`,
  )
const find = select('')
const lock = select('for key share of s, f')

/** Effect: notifies local authors of favourites that have not been undone. */
export async function notifyFavourites(
  ctx: Ctx,
  payloads: readonly { accountId: string; statusId: string }[],
): Promise<void> {
  const favourites = {
    accountIds: payloads.map(({ accountId }) => accountId),
    statusIds: payloads.map(({ statusId }) => statusId),
  }
  if ((await find(ctx.db, favourites)).length === 0) return
  await ctx.write(async (tx) => {
    const rows = await lock(tx.db, favourites)
    await createManyNotifications(tx, {
      type: 'favourite',
      notifications: rows.map(({ status_id: statusId, author_id: recipientId, account_id: fromAccountId }) => ({
        recipientId,
        fromAccountId,
        statusId,
      })),
    })
  })
}
