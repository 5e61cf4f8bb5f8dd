/** The bits of a role's permissions that the client asks for (`src/domain/access/permissions.ts`). */
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
  manageRoles: 17,
  deleteUserData: 19,
} as const

export type Permission = keyof typeof PERMISSION_BITS

export const STAFF_PERMISSIONS = Object.keys(PERMISSION_BITS) as Permission[]

/** Returns whether a role has a permission. An administrator has every one. */
export function hasPermission(permissions: string, permission: Permission): boolean {
  const mask = BigInt(permissions)
  const bit = 1n << BigInt(PERMISSION_BITS[permission])
  return (mask & (1n | bit)) !== 0n
}

/**
 * Returns whether a role permits any page of the administration, so that its users see it. Deleting data is a button on
 * the pages of accounts.
 */
export function isStaff(permissions: string): boolean {
  return STAFF_PERMISSIONS.some(
    (permission) => permission !== 'deleteUserData' && hasPermission(permissions, permission),
  )
}
