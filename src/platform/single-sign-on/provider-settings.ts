import type { EnvironmentReader } from '../config/environment-reader.ts'
import { readRoleMap } from './role-map.ts'
import type { RoleMap } from './role-map.ts'

/** What the settings of all providers have in common. */
export interface ProviderConfig {
  /** The name on buttons. */
  readonly displayName: string
  /** Every address that the provider states counts as verified. */
  readonly assumesVerifiedEmail: boolean
  /** Null: groups have no effect on roles. */
  readonly roleMap: RoleMap | null
}

type Prefix = 'OIDC' | 'SAML' | 'CAS'

const ROLE_SOURCES = { OIDC: 'OIDC_ROLES_CLAIM', SAML: 'SAML_ROLES_ATTRIBUTE', CAS: 'CAS_ROLES_KEY' }

/** Reads the settings that all redirecting providers have. */
export function readProviderSettings(
  reader: EnvironmentReader,
  { prefix, name }: { prefix: Prefix; name: string },
): ProviderConfig {
  return {
    displayName: reader.text(`${prefix}_DISPLAY_NAME`) ?? name,
    assumesVerifiedEmail: reader.flag(`${prefix}_SECURITY_ASSUME_EMAIL_IS_VERIFIED`) ?? false,
    roleMap: readRoleMap(reader, { sourceName: ROLE_SOURCES[prefix], mapName: `${prefix}_ROLE_MAP` }),
  }
}

/** Reports a missing setting that an enabled provider needs, and returns an empty text for it. */
export function requireText(reader: EnvironmentReader, { name, by }: { name: string; by: string }): string {
  const value = reader.text(name)
  if (value === null) reader.reportProblem(name, `must be set, because ${by} is true`)
  return value ?? ''
}

/** Reads an http or https URL without credentials and fragment; null if it is missing or invalid. */
export function readUrl(reader: EnvironmentReader, name: string): string | null {
  const value = reader.text(name)
  if (value === null) return null
  const url = URL.parse(value)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '')
    return value
  reader.reportProblem(name, `must be an address such as https://login.example/path, not "${value}"`)
  return null
}

/** Reads a URL that an enabled provider needs. */
export function requireUrl(reader: EnvironmentReader, { name, by }: { name: string; by: string }): string {
  if (reader.text(name) === null) requireText(reader, { name, by })
  return readUrl(reader, name) ?? 'https://invalid.invalid/'
}

/**
 * Reads the URL of this server to which a provider returns the browser. Another path would respond with 404, and browsers
 * do not send the cookie of the log-in that they began here to another host, or without TLS.
 */
export function readCallbackUrl(
  reader: EnvironmentReader,
  { name, origin, provider }: { name: string; origin: string; provider: string },
): string {
  const path = `/auth/auth/${provider}/callback`
  const value = readUrl(reader, name)
  if (value === null) return origin + path
  const url = new URL(value)
  if (url.pathname !== path || url.search !== '') reader.reportProblem(name, `must end with ${path}, not "${value}"`)
  // Commands without LOCAL_DOMAIN do not know the URL of the server yet.
  else if (url.origin !== origin && reader.text('LOCAL_DOMAIN') !== null)
    reader.reportProblem(name, `must be ${origin}${path}, not "${value}"`)
  return value
}

/** Reports settings of Mastodon that have a value and that Linnet does not support. */
export function refuseSettings(reader: EnvironmentReader, settings: Readonly<Record<string, string>>): void {
  for (const [name, why] of Object.entries(settings)) if (reader.text(name) !== null) reader.reportProblem(name, why)
}
