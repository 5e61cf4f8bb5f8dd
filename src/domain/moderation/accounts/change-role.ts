import { ForbiddenError, ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { hasPermissionSql } from '../../access/permissions.ts'
import { ROLE_IDS } from '../../accounts/registration/insert-local-account.ts'
import type { Tx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { keepAdministrator } from '../../roles/keep-administrator.ts'
import { isRoleId } from '../../roles/list-roles.ts'
import { lockTarget } from '../lock-target.ts'
import type { ActionInput, Target } from '../lock-target.ts'

/** The roles through which accounts are promoted and demoted, ascending. */
const LADDER: readonly string[] = [ROLE_IDS.user, ROLE_IDS.moderator, ROLE_IDS.admin]

const IS_ADMINISTRATOR = hasPermissionSql('administrator')

const findRole = statement<{
  params: { roleId: string }
  row: { id: string; name: string; position: number; administrator: boolean }
}>(
  `select r.id, r.name, r.position, ${IS_ADMINISTRATOR} as administrator from roles r where r.id = $roleId
   for key share`,
)
const findUserRole = statement<{ params: { userId: string }; row: { role_id: string } }>(
  `select role_id from users where id = $userId`,
)
const setRole = statement<{ params: { userId: string; roleId: string } }>(
  `update users set role_id = $roleId where id = $userId`,
)
// The badge is part of an account's entity, which is cached by its version.
const touchAccount = statement<{ params: { accountId: string } }>(
  `update accounts set version = version + 1 where id = $accountId`,
)

/**
 * Gives a user another role, below that of the member of the staff who acts.
 * @throws NotFoundError; ValidationError for an unknown role; UnprocessableError if no administrator would remain;
 *   ForbiddenError for remote accounts, and if the role or the user's present role has the same or a higher position
 */
export async function changeRole(tx: Tx, input: ActionInput & { roleId: string }): Promise<void> {
  await assign(tx, { ...input, target: await lockTarget(tx, input) })
}

/**
 * Promotes a user to moderator, or a moderator to admin. Users with another role get a role by `changeRole` only.
 * @throws NotFoundError; ForbiddenError as `changeRole`, and if there is no next role
 */
export async function promoteAccount(tx: Tx, input: ActionInput): Promise<void> {
  await move(tx, { ...input, steps: 1 })
}

/** Demotes an admin to moderator, or a moderator to user. @throws NotFoundError; ForbiddenError as `promoteAccount` */
export async function demoteAccount(tx: Tx, input: ActionInput): Promise<void> {
  await move(tx, { ...input, steps: -1 })
}

async function move(tx: Tx, { steps, ...input }: ActionInput & { steps: 1 | -1 }): Promise<void> {
  const target = await lockTarget(tx, input)
  const [user] = target.user_id === null ? [] : await findUserRole(tx.db, { userId: target.user_id })
  const place = LADDER.indexOf(user?.role_id ?? '')
  const roleId = place === -1 ? undefined : LADDER[place + steps]
  if (roleId === undefined) throw new ForbiddenError()
  await assign(tx, { ...input, roleId, target })
}

async function assign(tx: Tx, { by, roleId, target }: ActionInput & { roleId: string; target: Target }): Promise<void> {
  if (target.user_id === null) throw new ForbiddenError()
  const userId = target.user_id
  const [role] = isRoleId(roleId) ? await findRole(tx.db, { roleId }) : []
  if (!role) throw new ValidationError([{ attribute: 'role_id', code: 'ERR_INVALID', text: 'is not the id of a role' }])
  if (by && role.position >= by.position) throw new ForbiddenError()
  const change = async () => void (await setRole(tx.db, { userId, roleId }))
  if (target.administrator && !role.administrator) await keepAdministrator(tx, change)
  else await change()
  await touchAccount(tx.db, { accountId: target.id })
  await recordAuditEntry(tx, {
    by,
    action: 'change_role',
    targetType: 'account',
    targetId: target.id,
    label: target.handle,
    details: { role_id: roleId, role: role.name },
  })
}
