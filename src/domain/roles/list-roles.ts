import { NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import { EVERYONE_ROLE_ID } from '../access/permissions.ts'
import type { Read } from '../context.ts'

export interface RoleRow {
  id: string
  name: string
  color: string
  position: number
  /** The role's own bits, without those of the base role. */
  permissions: string
  highlighted: boolean
  collection_limit: number
  require_2fa: boolean
}

const COLUMNS = 'id, name, color, position, permissions, highlighted, collection_limit, require_2fa'

const list = statement<{ row: RoleRow }>(`select ${COLUMNS} from roles order by position desc, id`)
const find = statement<{ params: { id: string }; row: RoleRow }>(`select ${COLUMNS} from roles where id = $id`)

/** Returns all roles, the highest position first. The last one is the base role. */
export async function listRoles(read: Read): Promise<RoleRow[]> {
  return list(read.db)
}

/** Returns a role. @throws NotFoundError */
export async function getRole(read: Read, { id }: { id: string }): Promise<RoleRow> {
  const [role] = isRoleId(id) ? await find(read.db, { id }) : []
  if (!role) throw new NotFoundError()
  return role
}

/** Returns whether a text can be the id of a role: the id of the base role is negative. */
export function isRoleId(id: string): boolean {
  return isId(id) || id === EVERYONE_ROLE_ID
}
