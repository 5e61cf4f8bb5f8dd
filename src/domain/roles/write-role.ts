import { ForbiddenError, NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { EVERYONE_ROLE_ID, permissionBit } from '../access/permissions.ts'
import type { StaffMember } from '../access/permissions.ts'
import { ROLE_IDS } from '../accounts/registration/insert-local-account.ts'
import type { Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { checkRole } from './check-role.ts'
import type { RoleInput, RoleValues } from './check-role.ts'
import { keepAdministrator } from './keep-administrator.ts'
import { isRoleId } from './list-roles.ts'

const MAX_ROLES = 100
const DEFAULT_COLLECTION_LIMIT = 10

/** A member of the staff, or null for an administrator on the command line. */
type RoleManager = StaffMember | null

/** The values of a row; a bit mask is a decimal text. */
type RoleParameters = Omit<RoleValues, 'permissions'> & { permissions: string }

const insert = statement<{ params: RoleParameters & { maxRoles: number }; row: { id: string } }>(
  `insert into roles (name, color, position, permissions, highlighted, collection_limit, require_2fa)
   select $name, $color, $position, $permissions::bigint, $highlighted, $collectionLimit, $require2fa
   where (select count(*) from roles) < $maxRoles returning id`,
)
const lock = statement<{ params: { id: string }; row: RoleParameters }>(
  `select name, color, position, permissions, highlighted, collection_limit as "collectionLimit",
     require_2fa as "require2fa" from roles where id = $id for update`,
)
const update = statement<{ params: RoleParameters & { id: string } }>(
  `update roles set name = $name, color = $color, position = $position, permissions = $permissions::bigint,
     highlighted = $highlighted, collection_limit = $collectionLimit, require_2fa = $require2fa where id = $id`,
)
// The badge is part of an account's entity, which is cached by its version.
const touchAccounts = statement<{ params: { id: string } }>(
  `update accounts set version = version + 1
   where id in (select account_id from users where role_id = $id and role_id <> ${EVERYONE_ROLE_ID})`,
)
const removeFromUsers = statement<{ params: { id: string } }>(
  `update users set role_id = ${EVERYONE_ROLE_ID} where role_id = $id and role_id <> ${EVERYONE_ROLE_ID}`,
)
const remove = statement<{ params: { id: string } }>(`delete from roles where id = $id`)

/**
 * Creates a role below that of the member of the staff, with some of their permissions.
 * @throws ValidationError; UnprocessableError above the limit of roles
 */
export async function createRole(tx: Tx, { by, ...input }: RoleInput & { by: RoleManager }): Promise<{ id: string }> {
  const before = { name: '', color: '', position: 0, permissions: 0n, highlighted: false, require2fa: false }
  const role = checkRole({
    id: null,
    before: { ...before, collectionLimit: DEFAULT_COLLECTION_LIMIT },
    input,
    by,
  })
  const [row] = await insert(tx.db, { ...parametersOf(role), maxRoles: MAX_ROLES })
  if (!row) throw new UnprocessableError(`There cannot be more than ${MAX_ROLES} roles`)
  await record(tx, { by, action: 'create', id: row.id, role })
  return row
}

/**
 * Changes a role below that of the member of the staff, or the name, the color and the badge of their own role. Users
 * with the role have its new permissions at their next request; those without a required second factor have to add one.
 * @throws NotFoundError; ForbiddenError for other roles; ValidationError; UnprocessableError if no administrator would
 *   remain
 */
export async function updateRole(
  tx: Tx,
  { id, by, ...input }: RoleInput & { id: string; by: RoleManager },
): Promise<void> {
  const before = await lockRole(tx, id)
  if (by && id !== by.roleId && before.position >= by.position) throw new ForbiddenError()
  const role = checkRole({ id, before, input, by })
  const change = async () => void (await update(tx.db, { ...parametersOf(role), id }))
  if (badgeOf(before) !== badgeOf(role)) await touchAccounts(tx.db, { id })
  if (isAdministrator(before) && !isAdministrator(role)) await keepAdministrator(tx, change)
  else await change()
  await record(tx, { by, action: 'update', id, role })
}

/**
 * Deletes a role below that of the member of the staff. Its users have only the base role then.
 * @throws NotFoundError; ForbiddenError for the base role, the owner's role, the own role and those above;
 *   UnprocessableError if no administrator would remain
 */
export async function deleteRole(tx: Tx, { id, by }: { id: string; by: RoleManager }): Promise<void> {
  const role = await lockRole(tx, id)
  if (id === EVERYONE_ROLE_ID || id === ROLE_IDS.owner || (by && role.position >= by.position))
    throw new ForbiddenError()
  const change = async () => {
    if (role.highlighted) await touchAccounts(tx.db, { id })
    await removeFromUsers(tx.db, { id })
    await remove(tx.db, { id })
  }
  if (isAdministrator(role)) await keepAdministrator(tx, change)
  else await change()
  await record(tx, { by, action: 'delete', id, role })
}

async function lockRole(tx: Tx, id: string): Promise<RoleValues> {
  const [row] = isRoleId(id) ? await lock(tx.db, { id }) : []
  if (!row) throw new NotFoundError()
  return { ...row, permissions: BigInt(row.permissions) }
}

function parametersOf({ permissions, ...role }: RoleValues): RoleParameters {
  return { ...role, permissions: permissions.toString() }
}

/** Returns what viewers see of a role. */
function badgeOf({ name, color, highlighted }: RoleValues): string {
  return highlighted ? JSON.stringify([name, color]) : ''
}

function isAdministrator({ permissions }: RoleValues): boolean {
  return (permissions & permissionBit('administrator')) !== 0n
}

async function record(
  tx: Tx,
  { by, action, id, role }: { by: RoleManager; action: 'create' | 'update' | 'delete'; id: string; role: RoleValues },
): Promise<void> {
  const { position, permissions, require2fa } = parametersOf(role)
  const label = id === EVERYONE_ROLE_ID ? 'everyone' : role.name
  await recordAuditEntry(tx, {
    by,
    action,
    targetType: 'role',
    targetId: id,
    label,
    details: { position, permissions, require_2fa: require2fa },
  })
}
