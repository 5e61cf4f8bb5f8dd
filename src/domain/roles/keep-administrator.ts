import { UnprocessableError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { hasPermissionSql } from '../access/permissions.ts'
import { usableUser } from '../access/usable-account.ts'
import type { Tx } from '../context.ts'

const IS_ADMINISTRATOR = hasPermissionSql('administrator')

const lock = statement<{ row: { id: string } }>(
  `select r.id from roles r where ${IS_ADMINISTRATOR} order by r.id for no key update`,
)
const findAdministrator = statement<{ row: { id: string } }>(
  `select u.id from users u join roles r on r.id = u.role_id join accounts a on a.id = u.account_id
   where ${IS_ADMINISTRATOR} and ${usableUser()} limit 1`,
)

/**
 * Does work that takes the administrator permission from users. Concurrent calls wait for each other, so that they
 * cannot each leave the other's users as the last administrators.
 * @throws UnprocessableError if no administrator would remain
 */
export async function keepAdministrator(tx: Tx, work: () => Promise<void>): Promise<void> {
  await lock(tx.db)
  await work()
  const [administrator] = await findAdministrator(tx.db)
  if (!administrator) throw new UnprocessableError('At least one administrator must remain')
}
