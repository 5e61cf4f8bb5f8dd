import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** The bits of a role's permissions by their names (Mastodon: `Role.permissions`). */
const PERMISSION_BITS = {
  administrator: 0,
  devops: 1,
  viewAuditLog: 2,
  viewDashboard: 3,
  manageReports: 4,
  manageFederation: 5,
  manageSettings: 6,
  manageBlocks: 7,
  manageTaxonomies: 8,
  manageAppeals: 9,
  manageUsers: 10,
  manageInvites: 11,
  manageRules: 12,
  manageAnnouncements: 13,
  manageCustomEmojis: 14,
  manageWebhooks: 15,
  inviteUsers: 16,
  manageRoles: 17,
  manageUserAccess: 18,
  deleteUserData: 19,
  viewFeeds: 20,
  inviteBypassApproval: 21,
  manageEmailSubscriptions: 22,
} as const

export type Permission = keyof typeof PERMISSION_BITS

export const PERMISSIONS = Object.keys(PERMISSION_BITS) as Permission[]

const ADMINISTRATOR = 1n

/** All permissions that exist. */
export const ALL_PERMISSIONS = (1n << BigInt(PERMISSIONS.length)) - 1n

/** The id of the role that applies to every user in addition to their own. */
export const EVERYONE_ROLE_ID = '-99'

export function permissionBit(permission: Permission): bigint {
  return 1n << BigInt(PERMISSION_BITS[permission])
}

/** Returns all permissions of a role: an administrator has every one. */
export function effectivePermissions(permissions: bigint): bigint {
  return permissions & ADMINISTRATOR ? ALL_PERMISSIONS : permissions
}

/** Returns whether a bit mask contains a permission, or that of an administrator, which includes all. */
export function hasPermission(permissions: bigint, permission: Permission): boolean {
  return (effectivePermissions(permissions) & permissionBit(permission)) !== 0n
}

/**
 * Returns an SQL condition: whether the role `r` has a permission. The base role of all users never makes them staff.
 */
export function hasPermissionSql(permission: Permission, r = 'r'): string {
  return `(${r}.permissions & ${ADMINISTRATOR | permissionBit(permission)} <> 0 and ${r}.id <> ${EVERYONE_ROLE_ID})`
}

/** A member of the staff who acts. */
export interface StaffMember {
  readonly accountId: string
  readonly userId: string
  readonly roleId: string
  /** Staff cannot act on users whose role has the same or a higher position. */
  readonly position: number
  readonly permissions: bigint
}

/**
 * Returns whether a member of the staff may act on a user whose role has this position. null: an account without a
 * user, such as a remote one.
 */
export function isAbove(staff: StaffMember, position: number | null): boolean {
  return position === null || position < staff.position
}

const findRole = statement<{
  params: { userId: string }
  row: { account_id: string; role_id: string; position: number; permissions: string }
}>(
  `select u.account_id, u.role_id, r.position, (r.permissions | everyone.permissions)::text as permissions
   from users u join roles r on r.id = u.role_id join roles everyone on everyone.id = ${EVERYONE_ROLE_ID}
   where u.id = $userId`,
)

/**
 * Returns a user as a member of the staff, with the permissions of the moment: they are not cached, so that a demotion
 * takes effect at the next request. A user without any permission is returned, too.
 */
export async function findStaffMember(read: Read, { userId }: { userId: string }): Promise<StaffMember | null> {
  const [row] = await findRole(read.db, { userId })
  if (!row) return null
  const permissions = effectivePermissions(BigInt(row.permissions))
  return { accountId: row.account_id, userId, roleId: row.role_id, position: row.position, permissions }
}

const findBaseRole = statement<{ row: { permissions: string } }>(
  `select permissions from roles where id = ${EVERYONE_ROLE_ID}`,
)

/** Returns whether every user may invite others (Mastodon: `invites_enabled` of the instance). */
export async function canEveryoneInvite(read: Read): Promise<boolean> {
  const [role] = await findBaseRole(read.db)
  return role !== undefined && hasPermission(BigInt(role.permissions), 'inviteUsers')
}
