import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { deleteStatus } from '../statuses/delete.ts'
import { warnAccount } from './warn-account.ts'

const find = statement<{ params: { statusIds: readonly string[] }; row: { id: string; account_id: string } }>(
  `select id, account_id from statuses
   where id = any($statusIds::bigint[]) and deleted_at is null and reblog_of_id is null order by account_id, id`,
)

/**
 * Deletes posts of others for the staff, with their files, and tells each author of here which ones and why. Those that
 * there are not are left out. Returns how many there were.
 * @throws NotFound when there is none of them
 */
export async function deleteStatusesAsStaff(
  tx: Tx,
  { by, statusIds, text }: { by: string | null; statusIds: readonly string[]; text?: string },
): Promise<number> {
  const statuses = await find(tx.db, { statusIds: statusIds.filter(isId) })
  if (statuses.length === 0) throw new NotFound()
  for (const { id, account_id: accountId } of statuses) {
    await deleteStatus(tx, { accountId, statusId: id, deleteMedia: true })
  }
  for (const [targetAccountId, theirs] of Map.groupBy(statuses, (status) => status.account_id)) {
    const about = { action: 'delete_statuses', statusIds: theirs.map(({ id }) => id) } as const
    await warnAccount(tx, { by, targetAccountId, ...about, ...(text === undefined ? {} : { text }) })
  }
  return statuses.length
}
