import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { writeInBatches } from '../../core/write-in-batches.ts'
import { visibleTo } from '../../access/visibility.ts'
import { createNotifications } from '../create/create-notifications.ts'

/** The number of quotes whose authors one transaction notifies. */
const BATCH_SIZE = 100

const findStatus = statement<{
  params: { statusId: string }
  row: { account_id: string; edited_at: Date }
  notNull: 'edited_at'
}>(
  `select account_id, edited_at from statuses
   where id = $statusId and deleted_at is null and edited_at is not null for key share`,
)
// Only authors who can still see the quoted status are notified.
const findQuotes = statement<{
  params: { statusId: string; after: string }
  row: { id: string; status_id: string; account_id: string }
}>(
  `select q.id, q.status_id, q.account_id
   from quotes q join users u on u.account_id = q.account_id join statuses quoting on quoting.id = q.status_id
     join statuses s on s.id = q.quoted_status_id
   where q.quoted_status_id = $statusId and q.state = 'accepted' and quoting.deleted_at is null
     and ${visibleTo('q.account_id')}
     and q.id > $after
   order by q.id limit ${BATCH_SIZE} for key share of quoting, q`,
)
// Replaces notifications of earlier edits, but not one of this edit, which an earlier run of the effect has created.
const replace = statement<{ params: { recipientId: string; quotingId: string; editedAt: Date } }>(
  `delete from notifications
   where account_id = $recipientId and type = 'quoted_update' and status_id = $quotingId and created_at < $editedAt`,
)

/** Effect: notifies the local accounts that quote a status of its edit. */
export async function notifyQuotedEdit(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  await writeInBatches(ctx, async (tx, after) => {
    const [status] = await findStatus(tx.db, { statusId })
    if (!status) return undefined
    const quotes = await findQuotes(tx.db, { statusId, after })
    for (const { status_id: quotingId, account_id: recipientId } of quotes) {
      await replace(tx.db, { recipientId, quotingId, editedAt: status.edited_at })
      const notification = { type: 'quoted_update', fromAccountId: status.account_id, statusId: quotingId } as const
      await createNotifications(tx, { ...notification, recipientIds: [recipientId] })
    }
    return quotes.length < BATCH_SIZE ? undefined : quotes.at(-1)?.id
  })
}
