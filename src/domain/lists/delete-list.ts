import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { findFollowedMembers } from './find-followed-members.ts'
import { lockList } from './find-list.ts'

const remove = statement<{ params: { listId: string } }>(`delete from lists where id = $listId`)

/** Deletes a list with its members and its feed. @throws NotFoundError */
export async function deleteList(tx: Tx, { accountId, listId }: { accountId: string; listId: string }): Promise<void> {
  // Locked first, so that no follow request of a member is accepted between reading the members and the commit.
  await lockAccounts(tx, { ids: [accountId] })
  const { exclusive } = await lockList(tx, { id: listId, accountId })
  // Only members of an exclusive list have to return to the home feed.
  const batches = exclusive ? await findFollowedMembers(tx, { listId }) : []
  await remove(tx.db, { listId })
  for (const memberIds of batches) tx.emit('list.members_removed', { accountId, exclusive, memberIds })
}
