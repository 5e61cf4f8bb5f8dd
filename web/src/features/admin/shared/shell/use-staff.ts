import { useQuery } from '@tanstack/react-query'
import { ownAccountQuery } from '../../../accounts/own/own-account.ts'
import { hasPermission, isStaff } from '../../../accounts/staff-permissions.ts'
import type { Permission } from '../../../accounts/staff-permissions.ts'
import { ADMIN_GROUPS } from './admin-sections.ts'
import type { AdminPath } from './admin-sections.ts'

const SECTIONS = ADMIN_GROUPS.flatMap(({ sections }) => [...sections])

/** The member of the staff who uses this window. */
export interface Staff {
  accountId: string
  /** Whether the role permits any page of the administration. */
  isStaff: boolean
  can(permission: Permission): boolean
  /** Whether the role permits a page of the navigation, and those below it. */
  mayOpen(path: AdminPath): boolean
}

/** Returns the user with the permissions of their role; undefined until they are known. */
export function useStaff(): Staff | undefined {
  const { data: account } = useQuery(ownAccountQuery)
  if (!account) return undefined
  const { permissions } = account.role
  const can = (permission: Permission) => hasPermission(permissions, permission)
  return {
    accountId: account.id,
    isStaff: isStaff(permissions),
    can,
    mayOpen: (path) => SECTIONS.some(({ to, permission }) => to === path && can(permission)),
  }
}
