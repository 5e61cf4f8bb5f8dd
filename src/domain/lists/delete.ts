import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockList } from './find.ts'

/** People of one event: what follows reads all of them at once. */
const CHUNK = 500

const findMembers = statement<{ params: { listId: string }; row: { account_id: string } }>(
  `select account_id from list_accounts where list_id = $listId order by account_id`,
)
const remove = statement<{ params: { listId: string } }>(`delete from lists where id = $listId`)

/** Deletes a list with all that is on it. @throws NotFound */
export async function deleteList(tx: Tx, { accountId, listId }: { accountId: string; listId: string }): Promise<void> {
  const { exclusive } = await lockList(tx, { id: listId, accountId })
  const memberIds = exclusive ? (await findMembers(tx.db, { listId })).map((row) => row.account_id) : []
  await remove(tx.db, { listId })
  // Nobody misses those of a list that kept nobody out.
  for (let from = 0; from < memberIds.length; from += CHUNK) {
    tx.emit('list.members_removed', { accountId, exclusive, memberIds: memberIds.slice(from, from + CHUNK) })
  }
}
