import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { checkTitle } from '../../lists/check-title.ts'
import { createList } from '../../lists/create-list.ts'
import { addMembers } from '../../lists/list-members.ts'
import { followAccounts } from '../../relationships/follows/follow-accounts.ts'

/** An account that is to be in a list. */
interface ListedMember {
  title: string
  memberId: string
}

const findLists = statement<{
  params: { accountId: string; titles: readonly string[]; memberIds: readonly string[] }
  row: { id: string; title: string; members: string[] }
  notNull: 'members'
}>(
  `select distinct on (l.title) l.id, l.title,
     array(select m.account_id::text from list_accounts m
       where m.list_id = l.id and m.account_id = any($memberIds::bigint[])) as members
   from lists l where l.account_id = $accountId and l.title = any($titles::text[]) order by l.title, l.id`,
)

/**
 * Adds accounts to the lists with these titles, which it creates, and follows them, as members require it. Returns the
 * ids of the accounts that cannot be followed, which are in no list. @throws RequestError for an invalid title, and if
 * there would be too many lists
 */
export async function addToLists(
  tx: Tx,
  { accountId, members }: { accountId: string; members: readonly ListedMember[] },
): Promise<Set<string>> {
  const listed = members.map(({ title, memberId }) => ({ title: checkTitle(title), memberId }))
  const others = listed.filter(({ memberId }) => memberId !== accountId)
  const refused = await followAccounts(tx, {
    accountId,
    follows: others.map(({ memberId }) => ({ targetAccountId: memberId })),
  })
  const added = listed.filter(({ memberId }) => !refused.has(memberId))
  const byTitle = Map.groupBy(added, ({ title }) => title)
  // Concurrent imports and requests create a list once.
  await lockAccounts(tx, { ids: [accountId] })
  const memberIds = added.map(({ memberId }) => memberId)
  const found = await findLists(tx.db, { accountId, titles: [...byTitle.keys()], memberIds })
  const lists = new Map(found.map((list) => [list.title, list]))
  for (const [title, ofList] of byTitle) {
    const { id: listId, members: present } = lists.get(title) ?? {
      ...(await createList(tx, { accountId, title })),
      members: [],
    }
    const missing = ofList.map(({ memberId }) => memberId).filter((id) => !present.includes(id))
    if (missing.length > 0) await addMembers(tx, { accountId, listId, memberIds: missing })
  }
  return refused
}
