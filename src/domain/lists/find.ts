import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
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

const findOne = statement<ListRow>(`select ${COLUMNS} from lists l where l.id = $1 and l.account_id = $2`)
const lockOne = statement<ListRow>(
  `select ${COLUMNS} from lists l where l.id = $1 and l.account_id = $2 for no key update`,
)

/** One's own list. @throws NotFound, the very same for somebody else's list as for one that never was */
export async function findList(read: Pick<Read, 'db'>, { id, accountId }: Owned): Promise<ListRow> {
  const [row] = await findOne(read.db, [id, accountId])
  if (!row) throw new NotFound()
  return row
}

const findOwners = statement<{ id: string; account_id: string }>(
  `select l.id, l.account_id from lists l where l.id = any($1::bigint[])`,
)

/** Whose these lists are. What is no list is not among them. */
export async function findListOwners(
  read: Pick<Read, 'db'>,
  { ids }: { ids: readonly string[] },
): Promise<Map<string, string>> {
  const rows = await findOwners(read.db, [ids])
  return new Map(rows.map((row) => [row.id, row.account_id]))
}

/** The same, held until the transaction ends. @throws NotFound */
export async function lockList(read: Pick<Read, 'db'>, { id, accountId }: Owned): Promise<ListRow> {
  const [row] = await lockOne(read.db, [id, accountId])
  if (!row) throw new NotFound()
  return row
}

const findAll = statement<ListRow>(`select ${COLUMNS} from lists l where l.account_id = $1 order by l.id`)

/** All of somebody's lists, the oldest first. */
export async function readLists(read: Pick<Read, 'db'>, { accountId }: { accountId: string }): Promise<ListRow[]> {
  return findAll(read.db, [accountId])
}

const findHolding = statement<ListRow>(
  `select ${COLUMNS} from lists l join list_accounts la on la.list_id = l.id
   where l.account_id = $1 and la.account_id = $2 order by l.id`,
)

/** Those of somebody's lists that have this person on them. */
export async function readListsHolding(
  read: Pick<Read, 'db'>,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<ListRow[]> {
  return findHolding(read.db, [accountId, memberId])
}
