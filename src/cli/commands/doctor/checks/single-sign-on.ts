import { randomUUID } from 'node:crypto'
import type { Config } from '../../../../platform/config/config.ts'
import { lookupWithSystemResolver } from '../../../../platform/fetch/create-lookup.ts'
import type { ExternalProvider } from '../../../../platform/single-sign-on/external-provider.ts'
import { ExternalLoginError } from '../../../../platform/single-sign-on/external-provider.ts'
import type { Directory } from '../../../../platform/single-sign-on/ldap.ts'
import { openProviders } from '../../../../platform/single-sign-on/open-providers.ts'
import type { LdapConfig } from '../../../../platform/single-sign-on/read-ldap-settings.ts'
import { errorMessageOf, ok, problem } from './finding.ts'
import type { Finding } from './finding.ts'

/**
 * Checks whether the configured providers respond to this server. Only the browsers of users send requests to a SAML
 * provider, and to one of OpenID Connect without discovery before its users return. `extraCa`: a certificate authority
 * (PEM) that is trusted in addition to Node's.
 */
export async function checkSingleSignOn(
  config: Config,
  { extraCa }: { extraCa?: string | undefined } = {},
): Promise<Finding[]> {
  const { oidc, cas, ldap } = config.singleSignOn
  const { externalLogins, close } = openProviders(config.singleSignOn, {
    allowedPrivate: config.allowedPrivateAddresses,
    testHosts: config.testHosts,
    extraCa,
    lookup: lookupWithSystemResolver,
    userAgent: `Linnet/${config.version} (+${config.origin}/)`,
  })
  const find = (name: string): ExternalProvider => externalLogins.providers.find((provider) => provider.name === name)!
  try {
    return await Promise.all([
      ...(oidc && oidc.endpoints === null ? [checkDiscovery(find('openid_connect'), oidc)] : []),
      ...(cas ? [checkTicketValidation(find('cas'), cas)] : []),
      ...(ldap ? [checkDirectory(externalLogins.directory!, ldap)] : []),
    ])
  } finally {
    await close()
  }
}

/** The address of a log-in needs the discovery document. */
async function checkDiscovery(provider: ExternalProvider, { issuer }: { issuer: string }): Promise<Finding> {
  try {
    await provider.start({ state: randomUUID() })
    return ok(`the OpenID Connect provider ${issuer} responds`)
  } catch (err) {
    return problem(
      `the OpenID Connect provider ${issuer} is not usable: ${errorMessageOf(err)}`,
      'OIDC_ISSUER must equal the issuer in its discovery document, also in a slash at the end, and this server must reach it',
    )
  }
}

/** Sends a ticket that no CAS server has issued, and expects that it is refused. */
async function checkTicketValidation(
  provider: ExternalProvider,
  { validateUrl }: { validateUrl: string },
): Promise<Finding> {
  const outcome = await provider
    .finish({ parameters: { ticket: `ST-${randomUUID()}` }, state: randomUUID(), secrets: {} })
    .catch((err: unknown) => err)
  if (outcome instanceof ExternalLoginError && outcome.kind === 'refused')
    return ok(`the CAS server responds at ${validateUrl}`)
  return problem(
    `the CAS server is not usable at ${validateUrl}: ${errorMessageOf(outcome)}`,
    'check CAS_URL and CAS_VALIDATE_URL; CAS_CA_PATH names the certificate authority of the server',
  )
}

/** Searches for a user who does not exist. */
async function checkDirectory(directory: Directory, config: LdapConfig): Promise<Finding> {
  const server = `the LDAP directory ${config.host}:${config.port}`
  try {
    const login = randomUUID()
    await directory.authenticate({
      login,
      password: login,
      // A search filter of the settings may find a user nevertheless. The check guesses no passwords.
      async beforeCheck() {
        throw new UserFoundError()
      },
    })
  } catch (err) {
    if (!(err instanceof UserFoundError))
      return problem(`${server} is not usable: ${errorMessageOf(err)}`, directoryRemedy(err, config))
  }
  return ok(`${server} can be searched`)
}

class UserFoundError extends Error {}

/** Result codes of LDAP (RFC 4511, appendix A.1). */
const NO_SUCH_OBJECT = 32
const INVALID_CREDENTIALS = 49

function directoryRemedy(err: unknown, { method, port }: LdapConfig): string {
  const { code, message = '' } = ((err as Error).cause ?? {}) as { code?: unknown; message?: string }
  if (code === INVALID_CREDENTIALS) return 'check LDAP_BIND_DN and LDAP_PASSWORD'
  if (code === NO_SUCH_OBJECT) return 'check LDAP_BASE'
  if (/certificate|altnames/i.test(message))
    return 'its certificate must be valid for LDAP_HOST; NODE_EXTRA_CA_CERTS names a file with another authority'
  const isUsual = (port === 636) === (method === 'simple_tls')
  return isUsual
    ? 'check LDAP_HOST, LDAP_PORT and LDAP_METHOD'
    : 'LDAP_METHOD=simple_tls usually needs LDAP_PORT=636, and start_tls and plain need 389'
}
