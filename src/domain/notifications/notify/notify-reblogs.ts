import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createManyNotifications } from '../create/create-notifications.ts'

// A group boosts what its members post to it, so its boosts are no news for an author who follows it.
// Locks an original before its reblogs, in the same order as its deletion, which cascades to the reblogs.
const select = (lock: string) =>
  statement<{
    params: { reblogIds: readonly string[] }
    row: { original_id: string; author_id: string; account_id: string }
  }>(
    `select o.id as original_id, o.account_id as author_id, reblog.account_id
     from statuses reblog join statuses o on o.id = reblog.reblog_of_id join users u on u.account_id = o.account_id
     where reblog.id = any($reblogIds::bigint[]) and reblog.deleted_at is null and o.deleted_at is null
       and not exists (select from follows f join accounts g on g.id = f.target_account_id
         where f.account_id = o.account_id and f.target_account_id = reblog.account_id and g.actor_type = 'Group')
     order by o.id, reblog.id ${lock}`,
  )
const find = select('')
const lock = select('for key share of o, reblog')

/** Effect: notifies local authors of reblogs that have not been undone, except by groups that they follow. */
export async function notifyReblogs(ctx: Ctx, payloads: readonly { reblogId: string }[]): Promise<void> {
  const reblogIds = payloads.map(({ reblogId }) => reblogId)
  if ((await find(ctx.db, { reblogIds })).length === 0) return
  await ctx.write(async (tx) => {
    const rows = await lock(tx.db, { reblogIds })
    await createManyNotifications(tx, {
      type: 'reblog',
      notifications: rows.map(({ original_id: statusId, author_id: recipientId, account_id: fromAccountId }) => ({
        recipientId,
        fromAccountId,
        statusId,
      })),
    })
  })
}
