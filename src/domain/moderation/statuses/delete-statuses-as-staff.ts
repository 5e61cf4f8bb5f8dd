import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { deleteStatus } from '../../statuses/write/delete-status.ts'
import { warnAccount } from '../accounts/warn-account.ts'

const find = statement<{
  params: { statusIds: readonly string[] }
  row: { id: string; account_id: string; url: string }
}>(
  `select id, account_id, url from statuses
   where id = any($statusIds::bigint[]) and deleted_at is null and reblog_of_id is null order by account_id, id`,
)

/**
 * Deletes statuses and their files on behalf of staff, and notifies each local author of the deleted statuses and the
 * reason. Skips ids of unknown statuses. Returns the number of deleted statuses.
 * @throws NotFoundError if there is none
 */
export async function deleteStatusesAsStaff(
  tx: Tx,
  { by, statusIds, text }: { by: string | null; statusIds: readonly string[]; text?: string },
): Promise<number> {
  const statuses = await find(tx.db, { statusIds: statusIds.filter(isId) })
  if (statuses.length === 0) throw new NotFoundError()
  for (const { id, account_id: accountId, url: label } of statuses) {
    await deleteStatus(tx, { accountId, statusId: id, deleteMedia: true })
    const details = { account_id: accountId }
    const actor = by === null ? null : { accountId: by }
    await recordAuditEntry(tx, { by: actor, action: 'delete', targetType: 'status', targetId: id, label, details })
  }
  for (const [targetAccountId, deleted] of Map.groupBy(statuses, (status) => status.account_id)) {
    const warning = { action: 'delete_statuses', statusIds: deleted.map(({ id }) => id) } as const
    await warnAccount(tx, { by, targetAccountId, ...warning, ...(text === undefined ? {} : { text }) })
  }
  return statuses.length
}
