import { ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { EVERYONE_ROLE_ID, permissionBit } from '../access/permissions.ts'
import type { StaffMember } from '../access/permissions.ts'
import { ROLE_IDS } from '../accounts/registration/insert-local-account.ts'
import { parsePermissions } from './parse-permissions.ts'

const MAX_NAME_CHARACTERS = 100
const MAX_COLLECTIONS = 1_000
const MAX_POSITION = 2 ** 31 - 1

/** The permissions that every user may have. */
const SAFE_PERMISSIONS = permissionBit('inviteUsers')

/** A role with its own permissions. */
export interface RoleValues {
  name: string
  /** Empty or `#rrggbb`. */
  color: string
  position: number
  permissions: bigint
  highlighted: boolean
  collectionLimit: number
  /** Users with the role must have a second factor. */
  require2fa: boolean
}

/** The parameters of the API. Undefined: unchanged, or the default of a new role. */
export interface RoleInput {
  name?: string | undefined
  color?: string | undefined
  position?: number | undefined
  /** A decimal bit mask, or names. */
  permissions?: string | readonly string[] | undefined
  highlighted?: boolean | undefined
  collectionLimit?: number | undefined
  require2fa?: boolean | undefined
}

/**
 * Returns the complete role after a change. `id` null: a new role. `by`: the member of the staff, who cannot grant
 * permissions or positions above their own; null for an administrator on the command line.
 * @throws ValidationError
 */
export function checkRole({
  id,
  before,
  input,
  by,
}: {
  id: string | null
  before: RoleValues
  input: RoleInput
  by: StaffMember | null
}): RoleValues {
  const problems: FieldError[] = []
  const refuse = (attribute: string, code: string, text: string) => problems.push({ attribute, code, text })
  const isEveryone = id === EVERYONE_ROLE_ID
  const name = input.name === undefined ? before.name : cleanText(input.name).trim()
  if (name === '' && !isEveryone) refuse('name', 'ERR_BLANK', "can't be blank")
  if (name.length > MAX_NAME_CHARACTERS)
    refuse('name', 'ERR_TOO_LONG', `is too long (maximum is ${MAX_NAME_CHARACTERS} characters)`)
  const color = input.color === undefined ? before.color : parseColor(input.color)
  if (color === null) refuse('color', 'ERR_INVALID', 'is invalid')
  const { position = before.position, highlighted = before.highlighted } = input
  if ((position < 0 && !isEveryone) || position > MAX_POSITION) refuse('position', 'ERR_INVALID', 'is invalid')
  const { collectionLimit = before.collectionLimit, require2fa = before.require2fa } = input
  if (collectionLimit < 0 || collectionLimit > MAX_COLLECTIONS)
    refuse('collection_limit', 'ERR_INVALID', `must be between 0 and ${MAX_COLLECTIONS}`)
  const permissions = input.permissions === undefined ? before.permissions : parsePermissions(input.permissions)
  if (permissions === null) refuse('permissions', 'ERR_INVALID', 'are invalid')

  if (isEveryone) {
    if (permissions !== null && (permissions & ~SAFE_PERMISSIONS) !== 0n)
      refuse('permissions', 'ERR_DANGEROUS', 'are not safe for all users')
    for (const [attribute, value, former] of [
      ['name', name, before.name],
      ['color', color, before.color],
      ['position', position, before.position],
      ['highlighted', highlighted, before.highlighted],
    ] as const)
      if (value !== former) refuse(attribute, 'ERR_INVALID', 'of the base role cannot be changed')
  }
  // Without the fixed rights of the owner's role, no user could manage the other roles.
  const isOwner = id === ROLE_IDS.owner
  const isFixed = isOwner || (by !== null && id === by.roleId)
  const fixed = isOwner ? "of the owner's role cannot be changed" : 'of your own role cannot be changed'
  if (isFixed && permissions !== before.permissions) refuse('permissions', 'ERR_OWN_ROLE', fixed)
  if (isFixed && position !== before.position) refuse('position', 'ERR_OWN_ROLE', fixed)
  // Otherwise staff could undo what those above them require.
  if (by !== null && id === by.roleId && !isOwner && require2fa !== before.require2fa)
    refuse('require_2fa', 'ERR_OWN_ROLE', fixed)
  if (by !== null && !isFixed) {
    if (permissions !== null && (permissions & ~before.permissions & ~by.permissions) !== 0n)
      refuse('permissions', 'ERR_ELEVATED', 'include permissions that you do not have')
    if (position >= by.position) refuse('position', 'ERR_ELEVATED', 'must be lower than that of your own role')
  }
  if (problems.length > 0 || color === null || permissions === null)
    throw new ValidationError(problems, { details: true })
  return { name, color, position, permissions, highlighted, collectionLimit, require2fa }
}

/** Returns a color as `#rrggbb`, and an empty text for none; null if it is invalid. `#` is optional, `rgb` is short. */
function parseColor(input: string): string | null {
  const color = input.trim().toLowerCase()
  if (color === '') return ''
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(color)?.[1]
  if (digits === undefined) return null
  return `#${digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')}`
}
