import { Forbidden, NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { noteRegistration } from '../instance/weekly-people.ts'

const lock = statement<{ params: { username: string }; row: { id: string; approved: boolean } }>(
  `select u.id, u.approved from users u join accounts a on a.id = u.account_id
   where lower(a.username) = $username and a.domain is null for update of u`,
)
const approve = statement<{ params: { userId: string } }>(`update users set approved = true where id = $userId`)

/**
 * Lets in a local person who waits for approval.
 * @throws NotFound when nobody here has that name · Forbidden when they were approved before
 */
export async function approveAccount(tx: Tx, { username }: { username: string }): Promise<void> {
  const [person] = await lock(tx.db, { username: username.toLowerCase() })
  if (!person) throw new NotFound(`Nobody here is called ${username}`)
  if (person.approved) throw new Forbidden(`${username} has been approved already`)
  await approve(tx.db, { userId: person.id })
  await noteRegistration(tx, { userId: person.id })
}
