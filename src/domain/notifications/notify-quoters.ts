import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { notify } from './notify.ts'

/** Quotes whose authors are told in one transaction. */
const CHUNK = 100

const findStatus = statement<{
  params: { statusId: string }
  row: { account_id: string; edited_at: Date }
  notNull: 'edited_at'
}>(
  `select account_id, edited_at from statuses
   where id = $statusId and deleted_at is null and edited_at is not null for key share`,
)
// Whoever may not see it any more does not hear of it either.
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
   order by q.id limit ${CHUNK} for key share of quoting, q`,
)
// What tells of an earlier edit is replaced; what tells of this one, written by an earlier try, is not.
const replace = statement<{ params: { recipientId: string; quotingId: string; editedAt: Date } }>(
  `delete from notifications
   where account_id = $recipientId and type = 'quoted_update' and status_id = $quotingId and created_at < $editedAt`,
)

/** Effect: tells those here who quote a status that it says something else now. */
export async function notifyQuoters(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  let cursor: string | undefined = '0'
  while (cursor !== undefined) {
    const after: string = cursor
    cursor = await ctx.write<string | undefined>(async (tx) => {
      const [status] = await findStatus(tx.db, { statusId })
      if (!status) return undefined
      const quotes = await findQuotes(tx.db, { statusId, after })
      for (const { status_id: quotingId, account_id: recipientId } of quotes) {
        await replace(tx.db, { recipientId, quotingId, editedAt: status.edited_at })
        const notice = { kind: 'quoted_update', fromAccountId: status.account_id, statusId: quotingId } as const
        await notify(tx, { ...notice, recipientIds: [recipientId] })
      }
      return quotes.length < CHUNK ? undefined : quotes.at(-1)?.id
    })
  }
}
