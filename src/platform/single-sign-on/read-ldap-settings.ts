import type { EnvironmentReader } from '../config/environment-reader.ts'
import { requireText } from './provider-settings.ts'
import { readRoleMap } from './role-map.ts'
import type { RoleMap } from './role-map.ts'

export interface LdapConfig {
  readonly host: string
  readonly port: number
  /** `simple_tls`: TLS from the start · `start_tls`: TLS after the connection · `plain`: none. */
  readonly method: 'simple_tls' | 'start_tls' | 'plain'
  readonly verifiesTls: boolean
  readonly base: string
  /** The user that searches the directory. */
  readonly bindDn: string
  readonly password: string
  /** The attribute that identifies a user. */
  readonly uidAttribute: string
  readonly mailAttribute: string
  /** With the placeholders `%<uid>s`, `%<mail>s` (the attributes) and `%<email>s` (what the user entered). */
  readonly searchFilter: string
  /** Null: groups have no effect on roles. */
  readonly roleMap: RoleMap | null
  /** How characters of the uid are replaced in usernames; null: not at all. */
  readonly uidConversion: { readonly search: string; readonly replace: string } | null
}

const DEFAULT_FILTER = '(|(%<uid>s=%<email>s)(%<mail>s=%<email>s))'

/** Reads the settings of LDAP; null if it is not enabled. */
export function readLdapSettings(reader: EnvironmentReader): LdapConfig | null {
  if (!reader.flag('LDAP_ENABLED')) return null
  const by = 'LDAP_ENABLED'
  const converts = reader.flag('LDAP_UID_CONVERSION_ENABLED') ?? false
  return {
    host: reader.host('LDAP_HOST') ?? 'localhost',
    port: reader.integer('LDAP_PORT', 389, 1, 65_535),
    method: reader.choice('LDAP_METHOD', 'simple_tls', ['simple_tls', 'start_tls', 'plain']),
    verifiesTls: !(reader.flag('LDAP_TLS_NO_VERIFY') ?? false),
    base: requireText(reader, { name: 'LDAP_BASE', by }),
    bindDn: requireText(reader, { name: 'LDAP_BIND_DN', by }),
    password: requireText(reader, { name: 'LDAP_PASSWORD', by }),
    uidAttribute: readAttribute(reader, 'LDAP_UID', 'cn'),
    mailAttribute: readAttribute(reader, 'LDAP_MAIL', 'mail'),
    searchFilter: readFilter(reader),
    roleMap: readRoleMap(reader, { sourceName: 'LDAP_ROLES_ATTRIBUTE', mapName: 'LDAP_ROLE_MAP' }),
    uidConversion: converts
      ? {
          search: reader.text('LDAP_UID_CONVERSION_SEARCH') ?? '.,- ',
          replace: reader.text('LDAP_UID_CONVERSION_REPLACE') ?? '_',
        }
      : null,
  }
}

function readAttribute(reader: EnvironmentReader, name: string, fallback: string): string {
  const value = reader.text(name) ?? fallback
  if (!/^[a-z][a-z0-9-]*$/i.test(value)) reader.reportProblem(name, `must be the name of an attribute, not "${value}"`)
  return value
}

function readFilter(reader: EnvironmentReader): string {
  const filter = reader.text('LDAP_SEARCH_FILTER') ?? DEFAULT_FILTER
  const rest = filter.replaceAll(/%<(?:uid|mail|email)>s/g, '')
  const isBalanced = filter.startsWith('(') && rest.split('(').length === rest.split(')').length
  if (!isBalanced || rest.includes('%<') || !filter.includes('%<email>s')) {
    reader.reportProblem('LDAP_SEARCH_FILTER', `must be a filter such as ${DEFAULT_FILTER}, not "${filter}"`)
  }
  return filter
}
