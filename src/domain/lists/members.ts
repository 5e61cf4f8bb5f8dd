import { NotFound, ValidationFailed } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { keepAccounts } from '../accounts/find.ts'
import type { Listed } from '../accounts/listed.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read, Tx } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { findList, lockList } from './find.ts'

interface Members {
  accountId: string
  listId: string
  memberIds: readonly string[]
}

const insert = statement<{
  params: { listId: string; accountId: string; asked: readonly string[]; now: Date }
  row: { account_id: string }
}>(
  `insert into list_accounts (list_id, account_id, follow_id, follow_request_id, created_at)
   select $listId, m.id, f.id, case when f.id is null then r.id end, $now
   from unnest($asked::bigint[]) with ordinality as m (id, place)
     left join follows f on f.account_id = $accountId and f.target_account_id = m.id
     left join follow_requests r on r.account_id = $accountId and r.target_account_id = m.id
   where f.id is not null or r.id is not null or m.id = $accountId
   order by m.place
   on conflict (list_id, account_id) do nothing returning account_id`,
)
const findThere = statement<{ params: { listId: string; asked: readonly string[] }; row: { id: string } }>(
  `select account_id as id from list_accounts where list_id = $listId and account_id = any($asked::bigint[])`,
)

/**
 * Puts people on a list: oneself, and those whom one follows or asked to follow. Either all of them, or none.
 * @throws NotFound for a list that is not one's own and for nobody's id · ValidationFailed for somebody who is not
 *   followed, or is there already
 */
export async function addMembers(tx: Tx, { accountId, listId, memberIds }: Members): Promise<void> {
  // Held first: no follow can end, and no request be granted, between the look at it and the row that hangs on it.
  await lockAccounts(tx, { ids: [accountId] })
  const { exclusive } = await lockList(tx, { id: listId, accountId })
  const asked = [...new Set(memberIds)]
  const known = await keepAccounts(tx, { ids: asked })
  if (known.length < asked.length) throw new NotFound()
  if (asked.length === 0) return
  if ((await findThere(tx.db, { listId, asked })).length > 0) refuse('ERR_TAKEN', 'is already on the list')
  const added = await insert(tx.db, { listId, accountId, asked, now: tx.now })
  if (added.length < asked.length) refuse('ERR_INVALID', 'must be a followed account')
  tx.emit('list.members_added', { accountId, listId, exclusive, memberIds: asked })
}

function refuse(code: string, text: string): never {
  throw new ValidationFailed([{ attribute: 'account', code, text }])
}

const remove = statement<{ params: { listId: string; memberIds: readonly string[] }; row: { account_id: string } }>(
  `delete from list_accounts where list_id = $listId and account_id = any($memberIds::bigint[]) returning account_id`,
)

/** Takes people off a list. Those who are not there don't matter. @throws NotFound for a list that is not one's own */
export async function removeMembers(tx: Tx, { accountId, listId, memberIds }: Members): Promise<void> {
  await lockAccounts(tx, { ids: [accountId] })
  const { exclusive } = await lockList(tx, { id: listId, accountId })
  const removed = (await remove(tx.db, { listId, memberIds: memberIds.filter(isId) })).map((row) => row.account_id)
  if (removed.length > 0) tx.emit('list.members_removed', { accountId, exclusive, memberIds: removed })
}

const page = pageClause('r.id')
const FROM = `select r.id as cursor, a.id
  from list_accounts r join accounts a on a.id = r.account_id left join users u on u.account_id = a.id
  where r.list_id = $listId and ${usableAccount()}`
const newest = statement<{ params: { listId: string } & PageParameters; row: Listed }>(
  `${FROM} and ${page.where} ${page.descending}`,
)
const upwards = statement<{ params: { listId: string } & PageParameters; row: Listed }>(
  `${FROM} and ${page.where} ${page.ascending}`,
)
const everybody = statement<{ params: { listId: string }; row: Listed }>(`${FROM} order by r.id desc`)

/** Those on a list, latest first: a page of them, or all. @throws NotFound for a list that is not one's own */
export async function readMembers(
  read: Read,
  { accountId, listId, page: asked }: { accountId: string; listId: string; page: Page | null },
): Promise<Listed[]> {
  await findList(read, { id: listId, accountId })
  if (asked === null) return everybody(read.db, { listId })
  const values = { listId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}
