import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockList } from './find-list.ts'

/** The maximum number of members in one event, because its effects process all of them in one statement. */
const EVENT_BATCH_SIZE = 500

const findMembers = statement<{ params: { listId: string }; row: { account_id: string } }>(
  `select account_id from list_accounts where list_id = $listId order by account_id`,
)
const remove = statement<{ params: { listId: string } }>(`delete from lists where id = $listId`)

/** Deletes a list with its members and its feed. @throws NotFoundError */
export async function deleteList(tx: Tx, { accountId, listId }: { accountId: string; listId: string }): Promise<void> {
  const { exclusive } = await lockList(tx, { id: listId, accountId })
  const memberIds = exclusive ? (await findMembers(tx.db, { listId })).map((row) => row.account_id) : []
  await remove(tx.db, { listId })
  // Only members of an exclusive list have to return to the home feed.
  for (let from = 0; from < memberIds.length; from += EVENT_BATCH_SIZE) {
    tx.emit('list.members_removed', { accountId, exclusive, memberIds: memberIds.slice(from, from + EVENT_BATCH_SIZE) })
  }
}
