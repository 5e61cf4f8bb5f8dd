import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { checkTitle } from './check-title.ts'
import { findFollowedMembers } from './find-followed-members.ts'
import { lockList } from './find-list.ts'
import type { ListRow } from './find-list.ts'

const update = statement<{
  params: { listId: string; title: string; repliesPolicy: string; exclusive: boolean }
  row: ListRow
}>(
  `update lists set title = $title, replies_policy = $repliesPolicy, exclusive = $exclusive where id = $listId
   returning id, title, replies_policy, exclusive`,
)

/**
 * Updates a list; undefined properties stay unchanged (Mastodon: PUT /api/v1/lists/:id). A changed replies policy
 * applies to future statuses only. A change of `exclusive` removes the members from the home feed or adds them again.
 * @throws NotFoundError
 * @throws ValidationError
 */
export async function updateList(
  tx: Tx,
  {
    accountId,
    listId,
    title,
    repliesPolicy,
    exclusive,
  }: {
    accountId: string
    listId: string
    title?: string | undefined
    repliesPolicy?: ListRow['replies_policy'] | undefined
    exclusive?: boolean | undefined
  },
): Promise<ListRow> {
  // Locked first, so that no follow request of a member is accepted between reading the members and the commit.
  await lockAccounts(tx, { ids: [accountId] })
  const before = await lockList(tx, { id: listId, accountId })
  const [list] = await update(tx.db, {
    listId,
    title: title === undefined ? before.title : checkTitle(title),
    repliesPolicy: repliesPolicy ?? before.replies_policy,
    exclusive: exclusive ?? before.exclusive,
  })
  if (list!.exclusive !== before.exclusive) {
    for (const memberIds of await findFollowedMembers(tx, { listId }))
      tx.emit('list.exclusivity_changed', { accountId, memberIds })
  }
  return list!
}
