import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** Bits of a role's permissions, as in Mastodon. The first one includes all others. */
const ADMINISTRATOR = 1n << 0n
const PERMISSIONS = { manageReports: 1n << 4n, manageTaxonomies: 1n << 8n, manageUsers: 1n << 10n } as const

export type Permission = keyof typeof PERMISSIONS

/**
 * Returns an SQL condition: whether the role `r` has a permission. The base role of all users (id -99) never makes them
 * staff.
 */
export function hasPermissionSql(permission: Permission, r = 'r'): string {
  return `(${r}.permissions & ${ADMINISTRATOR | PERMISSIONS[permission]} <> 0 and ${r}.id <> -99)`
}

interface StaffMember {
  userId: string
  accountId: string
  email: string
  locale: string
}

const findHolders = {
  manageReports: selectHolders('manageReports'),
  manageTaxonomies: selectHolders('manageTaxonomies'),
  manageUsers: selectHolders('manageUsers'),
} satisfies Record<Permission, unknown>

function selectHolders(permission: Permission) {
  return statement<{ row: StaffMember }>(
    `select u.id as "userId", u.account_id as "accountId", u.email, u.locale
     from users u join roles r on r.id = u.role_id join accounts a on a.id = u.account_id
     where ${hasPermissionSql(permission)} and u.confirmed_at is not null and u.approved and u.disabled_at is null
       and a.suspended_at is null
     order by u.id`,
  )
}

/** Returns the users who have a permission and whose accounts are usable. */
export async function findStaff(read: Read, { permission }: { permission: Permission }): Promise<StaffMember[]> {
  return findHolders[permission](read.db)
}
