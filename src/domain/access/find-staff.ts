import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { hasPermissionSql } from './permissions.ts'
import { usableUser } from './usable-account.ts'

interface StaffUser {
  userId: string
  accountId: string
  email: string
  locale: string
  /** The kinds of mails to the staff that the user does not want. */
  mutedMails: string[]
}

const findHolders = {
  manageReports: selectHolders('manageReports'),
  manageTaxonomies: selectHolders('manageTaxonomies'),
  manageUsers: selectHolders('manageUsers'),
  manageAppeals: selectHolders('manageAppeals'),
  manageSettings: selectHolders('manageSettings'),
} as const

type MailedPermission = 'manageReports' | 'manageTaxonomies' | 'manageUsers' | 'manageAppeals' | 'manageSettings'

function selectHolders(permission: MailedPermission) {
  return statement<{ row: StaffUser }>(
    `select u.id as "userId", u.account_id as "accountId", u.email, u.locale,
       u.muted_staff_mails as "mutedMails"
     from users u join roles r on r.id = u.role_id join accounts a on a.id = u.account_id
     where ${hasPermissionSql(permission)} and ${usableUser()} order by u.id`,
  )
}

/** Returns the users who have a permission and whose accounts are usable. */
export async function findStaff(read: Read, { permission }: { permission: MailedPermission }): Promise<StaffUser[]> {
  return findHolders[permission](read.db)
}
