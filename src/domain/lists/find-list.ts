import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

export interface ListRow {
  id: string
  title: string
  replies_policy: 'list' | 'followed' | 'none'
  exclusive: boolean
}

const COLUMNS = 'l.id, l.title, l.replies_policy, l.exclusive'

interface OwnedList {
  id: string
  accountId: string
}

const findOne = statement<{ params: { id: string; accountId: string }; row: ListRow }>(
  `select ${COLUMNS} from lists l where l.id = $id and l.account_id = $accountId`,
)
const lockOne = statement<{ params: { id: string; accountId: string }; row: ListRow }>(
  `select ${COLUMNS} from lists l where l.id = $id and l.account_id = $accountId for no key update`,
)

/** Returns a list of the account. @throws NotFoundError also for a list of another account */
export async function findList(read: Pick<Read, 'db'>, { id, accountId }: OwnedList): Promise<ListRow> {
  const [row] = await findOne(read.db, { id, accountId })
  if (!row) throw new NotFoundError()
  return row
}

const findOwners = statement<{ params: { ids: readonly string[] }; row: { id: string; account_id: string } }>(
  `select l.id, l.account_id from lists l where l.id = any($ids::bigint[])`,
)

/** Returns the owner's account id of each existing list, by list id. */
export async function findListOwners(
  read: Pick<Read, 'db'>,
  { ids }: { ids: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await findOwners(read.db, { ids })
  return new Map(rows.map((row) => [row.id, row.account_id]))
}

/** Returns a list of the account and locks it until the transaction ends. @throws NotFoundError */
export async function lockList(read: Pick<Read, 'db'>, { id, accountId }: OwnedList): Promise<ListRow> {
  const [row] = await lockOne(read.db, { id, accountId })
  if (!row) throw new NotFoundError()
  return row
}

const findAll = statement<{ params: { accountId: string }; row: ListRow }>(
  `select ${COLUMNS} from lists l where l.account_id = $accountId order by l.id`,
)

/** Returns all lists of an account, oldest first. */
export async function listLists(read: Pick<Read, 'db'>, { accountId }: { accountId: string }): Promise<ListRow[]> {
  return findAll(read.db, { accountId })
}

const selectContaining = statement<{ params: { accountId: string; memberId: string }; row: ListRow }>(
  `select ${COLUMNS} from lists l join list_accounts la on la.list_id = l.id
   where l.account_id = $accountId and la.account_id = $memberId order by l.id`,
)

/** Returns the lists of an account that have the given member (Mastodon: GET /api/v1/accounts/:id/lists). */
export async function listListsContaining(
  read: Pick<Read, 'db'>,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<ListRow[]> {
  return selectContaining(read.db, { accountId, memberId })
}
