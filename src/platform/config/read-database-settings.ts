import { isIPv6 } from 'node:net'
import type { EnvironmentReader } from './environment-reader.ts'

/** The values of `DB_SSLMODE` in Mastodon, and `no-verify`: TLS without a check of the certificate. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const

/** Returns the URL of the database, also if the settings contain its parts. Null: the embedded database. */
export function readDatabaseUrl(reader: EnvironmentReader): string | null {
  return reader.postgresUrl('DATABASE_URL') ?? joinParts(reader)
}

export function readReplicaDatabaseUrl(reader: EnvironmentReader): string | null {
  const url = reader.postgresUrl('REPLICA_DATABASE_URL')
  if (url !== null && reader.text('DATABASE_URL') === null && reader.text('DB_HOST') === null)
    reader.reportProblem('REPLICA_DATABASE_URL', 'is set without DATABASE_URL')
  return url
}

function joinParts(reader: EnvironmentReader): string | null {
  const host = reader.text('DB_HOST')
  if (host === null) {
    reader.requireSetting('DB_HOST', ['DB_NAME', 'DB_USER', 'DB_PASS', 'DB_PORT', 'DB_SSLMODE'])
    return null
  }
  const url = new URL('postgresql://localhost')
  url.username = encodeURIComponent(reader.text('DB_USER') ?? 'linnet')
  url.password = encodeURIComponent(reader.text('DB_PASS') ?? '')
  url.port = String(reader.integer('DB_PORT', 5432, 1, 65_535))
  url.pathname = `/${reader.text('DB_NAME') ?? 'linnet'}`
  if (host.startsWith('/')) url.searchParams.set('host', host)
  else {
    // A URL ignores a host that it cannot parse, so an unchecked one would connect to this machine.
    const checked = reader.host('DB_HOST', 'a host name, an IP address or the folder of a socket')
    if (checked !== null) url.hostname = isIPv6(checked) ? `[${checked}]` : checked
  }
  const sslMode = reader.choice('DB_SSLMODE', 'prefer', SSL_MODES)
  // pg either uses TLS or does not; it has no mode that depends on the server.
  if (!['disable', 'allow', 'prefer'].includes(sslMode))
    url.searchParams.set('sslmode', sslMode === 'no-verify' ? sslMode : 'verify-full')
  return url.href
}
