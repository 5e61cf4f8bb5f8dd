import { UnprocessableError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { hasPermissionSql } from '../access/permissions.ts'
import { usableUser } from '../access/usable-account.ts'
import type { Tx } from '../context.ts'

const IS_ADMINISTRATOR = hasPermissionSql('administrator')

const lock = statement<{ row: { id: string } }>(
  `select r.id from roles r where ${IS_ADMINISTRATOR} order by r.id for no key update`,
)
const findAdministrator = statement<{ params: { exceptUserId: string | null }; row: { id: string } }>(
  `select u.id from users u join roles r on r.id = u.role_id join accounts a on a.id = u.account_id
   where ${IS_ADMINISTRATOR} and ${usableUser()} and u.id is distinct from $exceptUserId limit 1`,
)

/**
 * Does work that takes the administrator permission, or the access to the account, from users. Concurrent calls wait
 * for each other, so that they cannot each leave the other's users as the last administrators. If no administrator can
 * log in before, the work is allowed, because it changes nothing about that.
 * @throws UnprocessableError if no administrator who can log in would remain
 */
export async function keepAdministrator<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  await lock(tx.db)
  const hadAdministrator = await hasAdministrator(tx)
  const result = await work()
  if (hadAdministrator && !(await hasAdministrator(tx)))
    throw new UnprocessableError('At least one administrator who can log in must remain')
  return result
}

/** Returns whether a user, or another one than `exceptUserId`, has the administrator permission and can log in. */
export async function hasAdministrator(
  tx: Tx,
  { exceptUserId = null }: { exceptUserId?: string | null } = {},
): Promise<boolean> {
  return (await findAdministrator(tx.db, { exceptUserId })).length > 0
}
