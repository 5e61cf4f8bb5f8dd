import { effectivePermissions, permissionBit } from '../domain/access/permissions.ts'
import type { StaffMember } from '../domain/access/permissions.ts'

/** The administrator on the command line, who may see everything and has no account, for renderers. */
export const ADMINISTRATOR: StaffMember = {
  accountId: '0',
  userId: '0',
  roleId: '0',
  position: Number.MAX_SAFE_INTEGER,
  permissions: effectivePermissions(permissionBit('administrator')),
}
