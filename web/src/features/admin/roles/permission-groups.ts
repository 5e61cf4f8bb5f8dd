/** The permissions of roles by their meaning, with their bits (Mastodon: `Role.permissions`). */
export const PERMISSION_GROUPS = {
  everything: { administrator: 0 },
  moderation: {
    manage_reports: 4,
    manage_appeals: 9,
    manage_users: 10,
    manage_federation: 5,
    manage_blocks: 7,
    delete_user_data: 19,
    manage_user_access: 18,
  },
  content: {
    manage_taxonomies: 8,
    manage_custom_emojis: 14,
    manage_announcements: 13,
    manage_rules: 12,
    view_feeds: 20,
  },
  server: { manage_settings: 6, manage_roles: 17, manage_webhooks: 15, manage_email_subscriptions: 22 },
  monitoring: { view_dashboard: 3, view_audit_log: 2, view_devops: 1 },
  invites: { invite_users: 16, manage_invites: 11, invite_bypass_approval: 21 },
} as const

export type PermissionGroup = keyof typeof PERMISSION_GROUPS
type UnionKeys<Group> = Group extends unknown ? keyof Group : never
export type RolePermission = UnionKeys<(typeof PERMISSION_GROUPS)[PermissionGroup]>

export interface PermissionBit {
  name: RolePermission
  bit: bigint
}

/** The groups in their order, with the permissions of each. */
export const GROUPED_PERMISSIONS = (Object.keys(PERMISSION_GROUPS) as PermissionGroup[]).map((group) => ({
  group,
  permissions: Object.entries(PERMISSION_GROUPS[group]).map(([name, place]): PermissionBit => ({
    name: name as RolePermission,
    bit: 1n << BigInt(place as number),
  })),
}))

const ADMINISTRATOR = 1n

/** The permission that the base role, which applies to all users, may have. */
export const INVITE_USERS = 1n << BigInt(PERMISSION_GROUPS.invites.invite_users)

/** Returns whether a role permits something by itself, or as an administrator. */
export function permits(permissions: bigint, bit: bigint): boolean {
  return (permissions & (bit | ADMINISTRATOR)) !== 0n
}

export const isAdministrator = (permissions: bigint): boolean => permits(permissions, ADMINISTRATOR)
