import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

export interface ListRow {
  id: string
  title: string
  replies_policy: 'list' | 'followed' | 'none'
  exclusive: boolean
}

const COLUMNS = 'l.id, l.title, l.replies_policy, l.exclusive'

interface Owned {
  id: string
  accountId: string
}

const findOne = statement<{ params: { id: string; accountId: string }; row: ListRow }>(
  `select ${COLUMNS} from lists l where l.id = $id and l.account_id = $accountId`,
)
const lockOne = statement<{ params: { id: string; accountId: string }; row: ListRow }>(
  `select ${COLUMNS} from lists l where l.id = $id and l.account_id = $accountId for no key update`,
)

/** One's own list. @throws NotFound, the very same for somebody else's list as for one that never was */
export async function findList(read: Pick<Read, 'db'>, { id, accountId }: Owned): Promise<ListRow> {
  const [row] = await findOne(read.db, { id, accountId })
  if (!row) throw new NotFound()
  return row
}

const findOwners = statement<{ params: { ids: readonly string[] }; row: { id: string; account_id: string } }>(
  `select l.id, l.account_id from lists l where l.id = any($ids::bigint[])`,
)

/** Whose these lists are. What is no list is not among them. */
export async function findListOwners(
  read: Pick<Read, 'db'>,
  { ids }: { ids: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await findOwners(read.db, { ids })
  return new Map(rows.map((row) => [row.id, row.account_id]))
}

/** The same, held until the transaction ends. @throws NotFound */
export async function lockList(read: Pick<Read, 'db'>, { id, accountId }: Owned): Promise<ListRow> {
  const [row] = await lockOne(read.db, { id, accountId })
  if (!row) throw new NotFound()
  return row
}

const findAll = statement<{ params: { accountId: string }; row: ListRow }>(
  `select ${COLUMNS} from lists l where l.account_id = $accountId order by l.id`,
)

/** All of somebody's lists, the oldest first. */
export async function readLists(read: Pick<Read, 'db'>, { accountId }: { accountId: string }): Promise<ListRow[]> {
  return findAll(read.db, { accountId })
}

const findHolding = statement<{ params: { accountId: string; memberId: string }; row: ListRow }>(
  `select ${COLUMNS} from lists l join list_accounts la on la.list_id = l.id
   where l.account_id = $accountId and la.account_id = $memberId order by l.id`,
)

/** Those of somebody's lists that have this person on them. */
export async function readListsHolding(
  read: Pick<Read, 'db'>,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<ListRow[]> {
  return findHolding(read.db, { accountId, memberId })
}
