import type { EnvironmentReader } from '../config/environment-reader.ts'

/** How groups at a provider become roles. */
export interface RoleMap {
  /** The claim or attribute that lists the groups of a user. */
  readonly source: string
  /** The names of roles by the names of groups. */
  readonly roles: ReadonlyMap<string, string>
}

/**
 * Reads the mapping of a provider, such as `staff=Moderator;admins=Admin`; null if it has none. Names of groups may
 * contain `=`, as those of LDAP do.
 */
export function readRoleMap(
  reader: EnvironmentReader,
  { sourceName, mapName }: { sourceName: string; mapName: string },
): RoleMap | null {
  const source = reader.text(sourceName)
  const text = reader.text(mapName)
  if ((source === null) !== (text === null)) {
    reader.reportProblem(`${sourceName} and ${mapName}`, 'must be set together')
  }
  if (source === null || text === null) return null
  const roles = new Map<string, string>()
  for (const entry of text.split(';').filter((part) => part.trim() !== '')) {
    const [, group = '', role = ''] = /^(.+)=([^=]+)$/.exec(entry) ?? []
    if (group.trim() === '' || role.trim() === '') {
      reader.reportProblem(mapName, `must consist of group=Role name, separated by semicolons, not "${entry}"`)
    }
    roles.set(group.trim(), role.trim())
  }
  return { source, roles }
}

/** The roles that a provider gives to a user. */
export interface MappedRoles {
  /** The names of the roles for the groups of the user. */
  readonly granted: readonly string[]
  /** The names of all roles that the mapping manages. */
  readonly managed: readonly string[]
}

/** Returns the roles for the groups of a user, which are texts, a list of texts, or absent. */
export function mapRoles(map: RoleMap | null, readGroups: (source: string) => unknown): MappedRoles | null {
  if (map === null) return null
  const groups = [readGroups(map.source)].flat().filter((group) => typeof group === 'string')
  return {
    granted: groups.flatMap((group) => map.roles.get(group) ?? []),
    managed: [...new Set(map.roles.values())],
  }
}
