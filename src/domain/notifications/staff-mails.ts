import { statement } from '../../platform/db/statement.ts'
import { hasPermissionSql } from '../access/permissions.ts'
import type { Permission } from '../access/permissions.ts'
import type { Read, Tx } from '../context.ts'

/** The kinds of mails to the staff, with the permission of those who get them. */
const PERMISSIONS = {
  report: 'manageReports',
  pending: 'manageUsers',
  appeal: 'manageAppeals',
  trends: 'manageTaxonomies',
} as const satisfies Record<string, Permission>

export type StaffMail = keyof typeof PERMISSIONS

export const STAFF_MAILS = Object.keys(PERMISSIONS) as StaffMail[]

export interface StaffMailPreference {
  kind: StaffMail
  enabled: boolean
}

const find = statement<{ params: { userId: string }; row: { kinds: StaffMail[]; muted: string[] } }>(
  `select array_remove(array[${STAFF_MAILS.map((kind) => `case when ${hasPermissionSql(PERMISSIONS[kind])} then '${kind}' end`).join(', ')}], null) as kinds,
     u.muted_staff_mails as muted
   from users u join roles r on r.id = u.role_id where u.id = $userId`,
)
const save = statement<{ params: { userId: string; muted: readonly string[] } }>(
  `update users set muted_staff_mails = $muted where id = $userId`,
)

/** Returns for each kind of mails that the role of a user can get whether the user has enabled it. */
export async function readStaffMailPreferences(
  read: Read,
  { userId }: { userId: string },
): Promise<StaffMailPreference[]> {
  const [user] = await find(read.db, { userId })
  return (user?.kinds ?? []).map((kind) => ({ kind, enabled: !user!.muted.includes(kind) }))
}

/** Stores which mails to the staff a user has enabled. Kinds that the role of the user cannot get are not changed. */
export async function saveStaffMailPreferences(
  tx: Tx,
  { userId, enabled }: { userId: string; enabled: readonly StaffMail[] },
): Promise<void> {
  const [user] = await find(tx.db, { userId })
  const kinds: readonly string[] = user?.kinds ?? []
  const others = (user?.muted ?? []).filter((kind) => !kinds.includes(kind))
  const disabled = kinds.filter((kind) => !(enabled as readonly string[]).includes(kind))
  await save(tx.db, { userId, muted: [...others, ...disabled] })
}

/** Returns those of the staff who have enabled a kind of mails. */
export function recipientsOf<Recipient extends { readonly mutedMails: readonly string[] }>(
  staff: readonly Recipient[],
  kind: StaffMail,
): Recipient[] {
  return staff.filter(({ mutedMails }) => !mutedMails.includes(kind))
}
