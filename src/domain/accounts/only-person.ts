import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { usableAccount } from './usable.ts'

const find = statement<{ row: { username: string } }>(
  `select a.username from accounts a join users u on u.account_id = a.id
   where a.domain is null and ${usableAccount()} order by a.id limit 1`,
)

/** The name of the one whom a server in single-user mode is for: the first who is here; null before there is anybody. */
export async function findOnlyPerson(read: Read): Promise<string | null> {
  const [row] = await find(read.db)
  return row?.username ?? null
}
