import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { revealedAccount } from './usable.ts'

/** What reads and verbs ask of an account before they go on. */
export interface AccountRow {
  id: string
  domain: string | null
  suspended: boolean
  hide_collections: boolean
}

const findOne = statement<AccountRow>(
  `select a.id, a.domain, a.suspended_at is not null as suspended, coalesce(a.hide_collections, false) as hide_collections
   from accounts a left join users u on u.account_id = a.id where a.id = $1 and ${revealedAccount()}`,
)

/**
 * An account, suspended or not.
 * @throws NotFound, the very same for somebody who is not confirmed or approved yet as for an id of nobody
 */
export async function findAccount(read: Pick<Read, 'db'>, { id }: { id: string }): Promise<AccountRow> {
  const [row] = await findOne(read.db, [id])
  if (!row) throw new NotFound()
  return row
}

const findMany = statement<{ id: string }>(
  `select a.id
   from unnest($1::bigint[]) with ordinality as wanted (id, place)
     join accounts a on a.id = wanted.id left join users u on u.account_id = a.id
   where ${revealedAccount()} and ($2::boolean or a.suspended_at is null)
   order by wanted.place`,
)

/** Of these ids, each once and in their order, those of accounts that may be shown. Whatever is no id is left out. */
export async function keepAccounts(
  read: Pick<Read, 'db'>,
  { ids, withSuspended = true }: { ids: readonly string[]; withSuspended?: boolean },
): Promise<string[]> {
  const wanted = [...new Set(ids.filter(isId))]
  if (wanted.length === 0) return []
  const rows = await findMany(read.db, [wanted, withSuspended])
  return rows.map((row) => row.id)
}
