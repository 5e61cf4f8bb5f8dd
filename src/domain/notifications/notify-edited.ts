import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { notify } from './notify.ts'

/** Boosters who are told in one transaction. */
const CHUNK = 1_000

const findStatus = statement<{
  params: { statusId: string }
  row: { account_id: string; edited_at: Date }
  notNull: 'edited_at'
}>(
  `select account_id, edited_at from statuses
   where id = $statusId and deleted_at is null and edited_at is not null for key share`,
)
const findBoosters = statement<{
  params: { statusId: string; after: string }
  row: { id: string; account_id: string }
}>(
  `select b.id, b.account_id from statuses b join users u on u.account_id = b.account_id
   where b.reblog_of_id = $statusId and b.deleted_at is null and b.id > $after
     order by b.id limit ${CHUNK} for key share of b`,
)
// What tells of an earlier edit is replaced; what tells of this one, written by an earlier try, is not.
const replace = statement<{ params: { recipientIds: readonly string[]; statusId: string; editedAt: Date } }>(
  `delete from notifications
   where account_id = any($recipientIds::bigint[]) and type = 'update' and status_id = $statusId
     and created_at < $editedAt`,
)

/** Effect: tells those here who passed a status on that it says something else now. */
export async function notifyEdited(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  let cursor: string | undefined = '0'
  while (cursor !== undefined) {
    const after: string = cursor
    cursor = await ctx.write<string | undefined>(async (tx) => {
      const [status] = await findStatus(tx.db, { statusId })
      if (!status) return undefined
      const boosters = await findBoosters(tx.db, { statusId, after })
      const recipientIds = boosters.map((row) => row.account_id)
      if (recipientIds.length > 0) await replace(tx.db, { recipientIds, statusId, editedAt: status.edited_at })
      await notify(tx, { kind: 'update', fromAccountId: status.account_id, statusId, recipientIds })
      return boosters.length < CHUNK ? undefined : boosters.at(-1)?.id
    })
  }
}
