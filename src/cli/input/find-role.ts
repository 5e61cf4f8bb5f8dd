import { ROLE_IDS } from '../../domain/accounts/registration/insert-local-account.ts'
import { EVERYONE_ROLE_ID } from '../../domain/access/permissions.ts'
import type { Read } from '../../domain/context.ts'
import { listRoles } from '../../domain/roles/list-roles.ts'
import type { RoleRow } from '../../domain/roles/list-roles.ts'
import { CommandError } from '../command-error.ts'

/** What the commands call the base role, which has no name. */
export const EVERYONE = 'everyone'

const FIXED_IDS: ReadonlyMap<string, string> = new Map([...Object.entries(ROLE_IDS), [EVERYONE, EVERYONE_ROLE_ID]])

/** Returns a role by its id or its name. @throws CommandError */
export async function findRole(read: Read, { text }: { text: string }): Promise<RoleRow> {
  const name = text.toLowerCase()
  const roles = await listRoles(read)
  const byId = roles.find(({ id }) => id === (FIXED_IDS.get(name) ?? text))
  const found = byId ? [byId] : roles.filter((role) => role.name !== '' && role.name.toLowerCase() === name)
  const [role, other] = found
  if (role === undefined) throw new CommandError(`There is no role ${text}`)
  if (other) throw new CommandError(`Several roles are named ${text}: ${found.map(({ id }) => id).join(', ')}`)
  return role
}
