import { effectivePermissions } from '../../domain/access/permissions.ts'
import type { Role } from '../../entities/accounts/account.ts'
import { entity } from '../../lib/json/entity-json.ts'

/** The columns of `ROLE_COLUMNS`. */
export interface RoleColumns {
  role_id: string
  role_name: string
  role_color: string
  role_highlighted: boolean
  role_permissions: string
  collection_limit: number
}

/** The columns of a role `r` and the role `everyone`, which applies to every user. */
export const ROLE_COLUMNS = `r.id as role_id, r.name as role_name, r.color as role_color,
  r.highlighted as role_highlighted, r.collection_limit, (r.permissions | everyone.permissions)::text as role_permissions`

export function roleOf(row: RoleColumns): Role {
  return entity<Role>({
    id: row.role_id,
    name: row.role_name,
    permissions: effectivePermissions(BigInt(row.role_permissions)).toString(),
    color: row.role_color,
    highlighted: row.role_highlighted,
    collection_limit: row.collection_limit,
  })
}
