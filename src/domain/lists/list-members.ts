import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { filterVisibleAccounts } from '../accounts/lookup/find-account.ts'
import type { ListedAccount } from '../accounts/lookup/listed-account.ts'
import { usableAccount } from '../access/usable-account.ts'
import type { Read, Tx } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { findList, lockList } from './find-list.ts'

interface Members {
  accountId: string
  listId: string
  memberIds: readonly string[]
}

const insert = statement<{
  params: { listId: string; accountId: string; requestedIds: readonly string[]; now: Date }
  row: { account_id: string }
}>(
  `insert into list_accounts (list_id, account_id, follow_id, follow_request_id, created_at)
   select $listId, m.id, f.id, case when f.id is null then r.id end, $now
   from unnest($requestedIds::bigint[]) with ordinality as m (id, position)
     left join follows f on f.account_id = $accountId and f.target_account_id = m.id
     left join follow_requests r on r.account_id = $accountId and r.target_account_id = m.id
   where f.id is not null or r.id is not null or m.id = $accountId
   order by m.position
   on conflict (list_id, account_id) do nothing returning account_id`,
)
const findExistingMembers = statement<{
  params: { listId: string; requestedIds: readonly string[] }
  row: { id: string }
}>(`select account_id as id from list_accounts where list_id = $listId and account_id = any($requestedIds::bigint[])`)

/**
 * Adds accounts to a list, either all or none (Mastodon: POST /api/v1/lists/:id/accounts). Members can be the owner and
 * accounts that the owner follows or requests to follow.
 * @throws NotFoundError for a list of another account and for an unknown account
 * @throws ValidationError for an account that is not followed or is a member already
 */
export async function addMembers(tx: Tx, { accountId, listId, memberIds }: Members): Promise<void> {
  // Locked first, so that no follow ends and no request is accepted between reading it and inserting the row that
  // references it.
  await lockAccounts(tx, { ids: [accountId] })
  const { exclusive } = await lockList(tx, { id: listId, accountId })
  const requestedIds = [...new Set(memberIds)]
  const known = await filterVisibleAccounts(tx, { ids: requestedIds })
  if (known.length < requestedIds.length) throw new NotFoundError()
  if (requestedIds.length === 0) return
  if ((await findExistingMembers(tx.db, { listId, requestedIds })).length > 0)
    throwValidationError('ERR_TAKEN', 'is already on the list')
  const added = await insert(tx.db, { listId, accountId, requestedIds, now: tx.now })
  if (added.length < requestedIds.length) throwValidationError('ERR_INVALID', 'must be a followed account')
  tx.emit('list.members_added', { accountId, listId, exclusive, memberIds: requestedIds })
}

const insertRestored = statement<{
  params: { severedIds: readonly string[]; now: Date }
  row: { owner_id: string; list_id: string; member_id: string; exclusive: boolean }
}>(
  `with restored as (
     insert into list_accounts (list_id, account_id, follow_id, follow_request_id, created_at)
     select l.id, s.target_account_id, f.id, case when f.id is null then r.id end, $now
     from severed_follows s
       join lists l on l.id = any(s.list_ids) and l.account_id = s.account_id
       left join follows f on f.account_id = s.account_id and f.target_account_id = s.target_account_id
       left join follow_requests r on r.account_id = s.account_id and r.target_account_id = s.target_account_id
     where s.id = any($severedIds::bigint[]) and (f.id is not null or r.id is not null)
     order by s.id, l.id
     on conflict (list_id, account_id) do nothing
     returning list_id, account_id
   )
   select l.account_id as owner_id, restored.list_id, restored.account_id as member_id, l.exclusive
   from restored join lists l on l.id = restored.list_id`,
)

/**
 * Adds accounts that their followers have followed or requested to follow again to the lists that they were in, as far
 * as these still exist; the caller has locked the accounts. `severedIds`: of rows of `severed_follows`.
 */
export async function restoreMemberships(tx: Tx, { severedIds }: { severedIds: readonly string[] }): Promise<void> {
  const restored = await insertRestored(tx.db, { severedIds, now: tx.now })
  for (const [listId, members] of Map.groupBy(restored, (member) => member.list_id)) {
    const { owner_id: accountId, exclusive } = members[0]!
    tx.emit('list.members_added', { accountId, listId, exclusive, memberIds: members.map((one) => one.member_id) })
  }
}

function throwValidationError(code: string, text: string): never {
  throw new ValidationError([{ attribute: 'account', code, text }])
}

const remove = statement<{ params: { listId: string; memberIds: readonly string[] }; row: { account_id: string } }>(
  `delete from list_accounts where list_id = $listId and account_id = any($memberIds::bigint[]) returning account_id`,
)

/**
 * Removes accounts from a list; ignores accounts that are no members.
 * @throws NotFoundError for a list of another account
 */
export async function removeMembers(tx: Tx, { accountId, listId, memberIds }: Members): Promise<void> {
  await lockAccounts(tx, { ids: [accountId] })
  const { exclusive } = await lockList(tx, { id: listId, accountId })
  const removed = (await remove(tx.db, { listId, memberIds: memberIds.filter(isId) })).map((row) => row.account_id)
  if (removed.length > 0) tx.emit('list.members_removed', { accountId, exclusive, memberIds: removed })
}

const keyset = keysetClause('r.id')
const FROM = `select r.id as cursor, a.id
  from list_accounts r join accounts a on a.id = r.account_id left join users u on u.account_id = a.id
  where r.list_id = $listId and ${usableAccount()}`
const descending = statement<{ params: { listId: string } & PageParameters; row: ListedAccount }>(
  `${FROM} and ${keyset.where} ${keyset.descending}`,
)
const ascending = statement<{ params: { listId: string } & PageParameters; row: ListedAccount }>(
  `${FROM} and ${keyset.where} ${keyset.ascending}`,
)
const allMembers = statement<{ params: { listId: string }; row: ListedAccount }>(`${FROM} order by r.id desc`)

/** Returns a page of a list's members, or all, latest first. @throws NotFoundError for a list of another account */
export async function listMembers(
  read: Read,
  { accountId, listId, page }: { accountId: string; listId: string; page: Page | null },
): Promise<ListedAccount[]> {
  await findList(read, { id: listId, accountId })
  if (page === null) return allMembers(read.db, { listId })
  const values = { listId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
