import { isIP } from 'node:net'
import { connect, createSecureContext, getCACertificates } from 'node:tls'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { Client, Entry } from 'ldapts'
import { createIdentity, ExternalLoginError } from './external-provider.ts'
import type { ExternalIdentity } from './external-provider.ts'
import type { LdapConfig } from './read-ldap-settings.ts'
import { mapRoles } from './role-map.ts'

/** How long the directory may take for a connection and for each response. */
const TIMEOUT_MS = 10_000
const MAX_LOGIN_CHARACTERS = 320

/** A directory that checks the passwords of users. It has no page, so the password comes from the log-in form. */
export interface Directory {
  /**
   * Returns the user with this login and password, or null. `beforeCheck` is called before the password of a user is
   * checked, and prevents the check by an error.
   * @throws ExternalLoginError if the directory does not respond, or refuses to check the password of a user, for example
   *   of a locked one; the error of `beforeCheck`
   */
  authenticate(input: {
    login: string
    password: string
    beforeCheck?: (user: { uid: string }) => Promise<void>
  }): Promise<ExternalIdentity | null>
}

/**
 * LDAP version 3 (RFC 4511): binds as the configured user, searches for the login, and binds again as the user found,
 * with the password. `extraCa`: certificates that are trusted in addition to Node's.
 */
export function createLdapDirectory(
  config: LdapConfig,
  { extraCa, timeoutMs = TIMEOUT_MS }: { extraCa?: string | readonly string[] | undefined; timeoutMs?: number },
): Directory {
  const tlsOptions: ConnectionOptions = {
    rejectUnauthorized: config.verifiesTls,
    // The host that the certificate must name. On a connection that is open already, Node would otherwise expect a
    // certificate of `localhost` from a directory that has an IP address.
    host: config.host,
    ...(isIP(config.host) === 0 && { servername: config.host }),
    // Shared by all connections, because reading the certificates takes ten milliseconds.
    ...(extraCa && {
      secureContext: createSecureContext({ ca: [...getCACertificates('default'), ...[extraCa].flat()] }),
    }),
  }

  /** Runs work with a connection that nobody else uses, since each bind changes its user. */
  async function withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { Client } = await import('ldapts')
    const host = isIP(config.host) === 6 ? `[${config.host}]` : config.host
    const client = new Client({
      url: `${config.method === 'simple_tls' ? 'ldaps' : 'ldap'}://${host}:${config.port}`,
      timeout: timeoutMs,
      connectTimeout: timeoutMs,
      ...(config.method === 'simple_tls' && { tlsOptions }),
      ...(config.method === 'start_tls' && {
        createSecureConnection: ((options: ConnectionOptions) => connectTls(options, { timeoutMs })) as typeof connect,
      }),
    })
    try {
      // A copy, because the library stores the connection in it.
      if (config.method === 'start_tls') await client.startTLS({ ...tlsOptions })
      return await work(client)
    } finally {
      await client.unbind().catch(() => {})
    }
  }

  async function findEntry(login: string): Promise<Entry | null> {
    return withClient(async (client) => {
      await client.bind(config.bindDn, config.password)
      const { searchEntries } = await client.search(config.base, {
        scope: 'sub',
        filter: createFilter(config, login),
        sizeLimit: 2,
        attributes: [
          config.uidAttribute,
          config.mailAttribute,
          'displayName',
          ...(config.roleMap ? [config.roleMap.source] : []),
        ],
      })
      // Of several users, none is certainly the one who logs in.
      return searchEntries.length === 1 ? searchEntries[0]! : null
    })
  }

  return {
    async authenticate({ login, password, beforeCheck }) {
      // A bind without a password succeeds for every user (RFC 4513 §5.1.2), and NUL ends texts in some servers.
      if (login === '' || password === '' || login.length > MAX_LOGIN_CHARACTERS) return null
      if (login.includes('\0') || password.includes('\0')) return null
      const { InvalidCredentialsError, SizeLimitExceededError } = await import('ldapts')
      const entry = await findEntry(login).catch((err: unknown) => {
        if (err instanceof SizeLimitExceededError) return null
        throw unreachableError(err)
      })
      if (entry === null) return null
      const identity = identityOf(entry, config)
      await beforeCheck?.(identity)
      try {
        await withClient(async (client) => client.bind(entry.dn, password))
      } catch (err) {
        if (err instanceof InvalidCredentialsError) return null
        throw isRefusal(err) ? new ExternalLoginError('refused', err.message) : unreachableError(err)
      }
      return identity
    },
  }
}

/** Begins TLS on an open connection. Destroys it after the timeout, since the library has none for the handshake. */
function connectTls(options: ConnectionOptions, { timeoutMs }: { timeoutMs: number }): TLSSocket {
  const socket = connect(options)
  const timer = setTimeout(() => socket.destroy(new Error('The TLS handshake timed out')), timeoutMs)
  for (const event of ['secureConnect', 'close']) socket.once(event, () => clearTimeout(timer))
  return socket
}

/** Result codes by which a directory asks to come back later: busy and unavailable (RFC 4511, appendix A.1). */
const TEMPORARY_CODES: ReadonlySet<unknown> = new Set([51, 52])

/** Returns whether the directory responded that it does not check a password: results have codes below 128. */
function isRefusal(err: unknown): err is Error {
  const code = err instanceof Error && 'code' in err ? err.code : undefined
  return typeof code === 'number' && code < 128 && !TEMPORARY_CODES.has(code)
}

function unreachableError(err: unknown): ExternalLoginError {
  return new ExternalLoginError('unreachable', err instanceof Error ? err.message : 'unknown error', { cause: err })
}

function createFilter({ searchFilter, uidAttribute, mailAttribute }: LdapConfig, login: string): string {
  const values: Record<string, string> = { uid: uidAttribute, mail: mailAttribute, email: escapeFilterValue(login) }
  return searchFilter.replaceAll(/%<(uid|mail|email)>s/g, (_, name: string) => values[name]!)
}

/**
 * Escapes a value in a search filter (RFC 4515 §3): all of ASCII except A-Z, a-z, 0-9 and `@ . _ -` and blanks. The
 * library sends other characters in UTF-8, but would decode their escaped bytes as a character each.
 */
function escapeFilterValue(value: string): string {
  return value.replaceAll(
    /[^A-Za-z0-9@._ \u0080-\uffff-]/g,
    (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

function identityOf(
  entry: Entry,
  { uidAttribute, mailAttribute, uidConversion, roleMap }: LdapConfig,
): ExternalIdentity {
  // Directories name attributes as in their schema, whatever the case in the request (`sAMAccountName`, `memberOf`).
  const attributes = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]))
  const find = (name: string) => attributes.get(name.toLowerCase())
  const uid = textOf(find(uidAttribute))
  const converted =
    uid !== null && uidConversion !== null
      ? Array.from(uid)
          .map((character) => (uidConversion.search.includes(character) ? uidConversion.replace : character))
          .join('')
      : uid
  return createIdentity({
    // Directories compare names without case.
    uid: uid?.toLowerCase() ?? null,
    nickname: converted,
    displayName: textOf(find('displayName')),
    email: textOf(find(mailAttribute)),
    emailVerified: true,
    roles: mapRoles(roleMap, find),
  })
}

/** Returns the first value of an attribute as text, or null. */
function textOf(value: Entry[string] | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' && first !== '' ? first : null
}
