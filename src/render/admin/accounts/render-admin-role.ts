import type { RoleRow } from '../../../domain/roles/list-roles.ts'
import type { AdminRole } from '../../../entities/admin/accounts/admin-role.ts'

export function renderAdminRole(role: RoleRow): AdminRole {
  const { id, name, permissions, color, position, highlighted, collection_limit, require_2fa } = role
  return { id, name, permissions, color, position, highlighted, collection_limit, require_2fa }
}
