import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { writeInBatches } from '../../core/write-in-batches.ts'
import { createNotifications } from '../create/create-notifications.ts'

/** The number of rebloggers that one transaction notifies. */
const BATCH_SIZE = 1_000

const findStatus = statement<{
  params: { statusId: string }
  row: { account_id: string; edited_at: Date }
  notNull: 'edited_at'
}>(
  `select account_id, edited_at from statuses
   where id = $statusId and deleted_at is null and edited_at is not null for key share`,
)
const findRebloggers = statement<{
  params: { statusId: string; after: string }
  row: { id: string; account_id: string }
}>(
  `select b.id, b.account_id from statuses b join users u on u.account_id = b.account_id
   where b.reblog_of_id = $statusId and b.deleted_at is null and b.id > $after
     order by b.id limit ${BATCH_SIZE} for key share of b`,
)
// Replaces notifications of earlier edits, but not one of this edit, which an earlier run of the effect has created.
const replace = statement<{ params: { recipientIds: readonly string[]; statusId: string; editedAt: Date } }>(
  `delete from notifications
   where account_id = any($recipientIds::bigint[]) and type = 'update' and status_id = $statusId
     and created_at < $editedAt`,
)

/** Effect: notifies the local accounts that reblogged a status of its edit. */
export async function notifyStatusEdit(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  await writeInBatches(ctx, async (tx, after) => {
    const [status] = await findStatus(tx.db, { statusId })
    if (!status) return undefined
    const rebloggers = await findRebloggers(tx.db, { statusId, after })
    const recipientIds = rebloggers.map((row) => row.account_id)
    if (recipientIds.length > 0) await replace(tx.db, { recipientIds, statusId, editedAt: status.edited_at })
    await createNotifications(tx, { type: 'update', fromAccountId: status.account_id, statusId, recipientIds })
    return rebloggers.length < BATCH_SIZE ? undefined : rebloggers.at(-1)?.id
  })
}
