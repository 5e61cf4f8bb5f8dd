import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { usableAccount } from '../../access/usable-account.ts'

const find = statement<{ row: { username: string } }>(
  `select a.username from accounts a join users u on u.account_id = a.id
   where a.domain is null and ${usableAccount()} order by a.id limit 1`,
)

/** Returns the username of the owner of a server in single-user mode: the oldest usable local account; null if none. */
export async function findSingleUser(read: Read): Promise<string | null> {
  const [row] = await find(read.db)
  return row?.username ?? null
}
