import { snakeCase } from '../../lib/text/snake-case.ts'
import { ALL_PERMISSIONS, PERMISSIONS, permissionBit } from '../access/permissions.ts'
import type { Permission } from '../access/permissions.ts'

/** The bits of the permissions by Mastodon's names, such as `manage_reports`. */
const BITS: ReadonlyMap<string, bigint> = new Map(PERMISSIONS.map((name) => [apiName(name), permissionBit(name)]))

/** Mastodon's names of all permissions, in the order of their bits. */
export const PERMISSION_NAMES: readonly string[] = [...BITS.keys()]

/** Returns permissions given as a decimal bit mask or as a list of names; null for an unknown bit or name. */
export function parsePermissions(input: string | readonly string[]): bigint | null {
  if (typeof input === 'string') {
    if (!/^\d{1,19}$/.test(input)) return null
    const permissions = BigInt(input)
    return (permissions & ~ALL_PERMISSIONS) === 0n ? permissions : null
  }
  let permissions = 0n
  // A form sends an empty item for a list without items.
  for (const name of input.filter((item) => item !== '')) {
    const bit = BITS.get(name)
    if (bit === undefined) return null
    permissions |= bit
  }
  return permissions
}

/** Returns Mastodon's names of the permissions of a bit mask, in the order of their bits. */
export function permissionNames(permissions: bigint): string[] {
  return [...BITS].filter(([, bit]) => (permissions & bit) !== 0n).map(([name]) => name)
}

function apiName(permission: Permission): string {
  if (permission === 'devops') return 'view_devops'
  return snakeCase(permission)
}
