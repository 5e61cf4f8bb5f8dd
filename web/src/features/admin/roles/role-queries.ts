import { queryOptions, useQuery } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminRole } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { ownAccountQuery } from '../../accounts/own/own-account.ts'

/** The id of the base role, which applies to all users. */
export const BASE_ROLE = '-99'

/** All roles, the highest position first. */
export const rolesQuery = queryOptions({
  queryKey: ['admin', 'roles'],
  queryFn: async () => (await adminApi('roles').fetch()) as AdminRole[],
})

/** What the user may do with roles. */
export interface RoleRights {
  roleId: string
  position: number
  permissions: bigint
}

/** Returns what the user may do with roles; null until it is known. */
export function useRoleRights(roles: readonly AdminRole[]): RoleRights | null {
  const { data: account } = useQuery(ownAccountQuery)
  const own = roles.find(({ id }) => id === account?.role.id)
  return account && own
    ? { roleId: own.id, position: own.position, permissions: BigInt(account.role.permissions) }
    : null
}

/** Returns whether the user may change a role: one below their own, and some of their own one. */
export function canEdit({ id, position }: AdminRole, rights: RoleRights | null): boolean {
  return rights !== null && (id === rights.roleId || position < rights.position)
}

export function canDelete({ id, position }: AdminRole, rights: RoleRights | null): boolean {
  return rights !== null && id !== BASE_ROLE && id !== rights.roleId && position < rights.position
}

export const roleName = ({ id, name }: Pick<AdminRole, 'id' | 'name'>): string =>
  id === BASE_ROLE ? message('web.admin.roles.everyone') : name

export type RoleValues = Omit<AdminRole, 'id'>

export const NEW_ROLE: RoleValues = {
  name: '',
  permissions: '0',
  color: '',
  position: 0,
  highlighted: false,
  collectionLimit: 10,
  require_2fa: false,
}

export function valuesOf({ id: _id, ...values }: AdminRole): RoleValues {
  return values
}

/** Creates a role, or changes one. Returns its id. */
export async function saveRole(id: string | null, values: Partial<RoleValues>): Promise<string> {
  const saved = id === null ? adminApi('roles').create(values) : adminApi('roles', id).update(values)
  return ((await saved) as AdminRole).id
}

export async function deleteRole(id: string): Promise<void> {
  await adminApi('roles', id).remove()
}
