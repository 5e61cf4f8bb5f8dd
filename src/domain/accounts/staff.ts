import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/** Bits of a role's permissions. The first stands for all of them. */
const ADMINISTRATOR = 1n << 0n
const PERMISSIONS = { manageReports: 1n << 4n, manageTaxonomies: 1n << 8n, manageUsers: 1n << 10n } as const

export type Permission = keyof typeof PERMISSIONS

/** Whether a role lets its holder do something, as SQL over its alias. What everybody holds makes nobody one of the staff. */
export function permits(permission: Permission, r = 'r'): string {
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
     where ${permits(permission)} and u.confirmed_at is not null and u.approved and u.disabled_at is null
       and a.suspended_at is null
     order by u.id`,
  )
}

/** Everybody who may do something, and can act at the moment. */
export async function findStaff(
  read: Read,
  { permission }: { permission: Permission },
): Promise<StaffMember[]> {
  return findHolders[permission](read.db)
}
