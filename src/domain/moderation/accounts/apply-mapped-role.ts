import type { MappedRoles } from '../../../platform/single-sign-on/role-map.ts'
import { statement } from '../../../platform/db/statement.ts'
import { hasPermissionSql } from '../../access/permissions.ts'
import { ROLE_IDS } from '../../accounts/registration/insert-local-account.ts'
import type { Tx } from '../../context.ts'
import { hasAdministrator } from '../../roles/keep-administrator.ts'
import { changeRole } from './change-role.ts'

const IS_ADMINISTRATOR = hasPermissionSql('administrator')

const findUser = statement<{
  params: { userId: string }
  row: { account_id: string; role_id: string; role: string; administrator: boolean }
}>(
  `select u.account_id, u.role_id, r.name as role, ${IS_ADMINISTRATOR} as administrator
   from users u join roles r on r.id = u.role_id where u.id = $userId`,
)
const findHighest = statement<{ params: { names: readonly string[] }; row: { id: string; administrator: boolean } }>(
  `select r.id, ${IS_ADMINISTRATOR} as administrator from roles r
   where r.name = any($names::text[]) and r.id <> '${ROLE_IDS.user}' order by r.position desc, r.id limit 1`,
)

/**
 * Gives a user the role that the groups at a provider are mapped to, the highest one of several. Without such a group,
 * the user loses a role that the mapping manages. Roles that the staff gave and the mapping does not name stay, and so
 * does the role of the last administrator. The audit log records each change.
 */
export async function applyMappedRole(
  tx: Tx,
  { userId, roles }: { userId: string; roles: MappedRoles | null },
): Promise<void> {
  if (roles === null) return
  const [user] = await findUser(tx.db, { userId })
  if (!user || (user.role_id !== ROLE_IDS.user && !roles.managed.includes(user.role))) return
  const [granted] = await findHighest(tx.db, { names: roles.granted })
  const roleId = granted?.id ?? ROLE_IDS.user
  if (roleId === user.role_id) return
  const losesAdministration = user.administrator && !granted?.administrator
  if (losesAdministration && !(await hasAdministrator(tx, { exceptUserId: userId }))) return
  await changeRole(tx, { by: null, accountId: user.account_id, roleId })
}
