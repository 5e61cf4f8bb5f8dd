import { setTimeout as wait } from 'node:timers/promises'
import type * as openIdClient from 'openid-client'
import type { Configuration, ServerMetadata } from 'openid-client'
import { FetchFailedError, FetchRefusedError } from '../fetch/fetch-errors.ts'
import type { Fetcher } from '../fetch/fetcher.ts'
import { createIdentity, ExternalLoginError } from './external-provider.ts'
import type { ExternalIdentity, ExternalProvider } from './external-provider.ts'
import type { OidcConfig } from './read-oidc-settings.ts'
import { mapRoles } from './role-map.ts'
import { fetchWith } from './trusted-fetch.ts'

type Claims = Readonly<Record<string, unknown>>

/** How long a discovery document is used, so that a provider can move its endpoints. */
const DISCOVERY_MS = 3_600_000

/** How long a page waits for the discovery document. */
const MAX_PAGE_WAIT_MS = 1_500

/** How long pages do not ask a provider that did not respond. */
const FAILURE_MS = 30_000

const ID_TOKEN_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/**
 * OpenID Connect 1.0 with the authorization code flow. `openid-client` checks the state, the issuer of the response (RFC
 * 9207), PKCE, the nonce, and the ID token: its signature by a public key of the provider, issuer, audience and times.
 */
export function createOpenIdConnect(
  config: OidcConfig,
  { fetcher, now = Date.now }: { fetcher: Fetcher; now?: () => number },
): ExternalProvider {
  const loadLibrary = async () => import('openid-client')
  let discovered: { at: number; client: Promise<Configuration> } | null = null
  let failedAt = -Infinity

  async function loadClient(): Promise<Configuration> {
    if (discovered === null || now() - discovered.at > DISCOVERY_MS) {
      const client = createClient(await loadLibrary(), { config, fetcher })
      discovered = { at: now(), client }
      client.catch(() => {
        discovered = null
        failedAt = now()
      })
    }
    return discovered.client.catch((err: unknown) => {
      throw errorOf(err)
    })
  }

  return {
    name: 'openid_connect',
    displayName: config.displayName,

    async listOrigins() {
      const issuer = new URL(config.issuer).origin
      if (now() - failedAt < FAILURE_MS) return [issuer]
      // Pages wait for a slow provider only briefly. They then admit the issuer alone.
      const client = await Promise.race([loadClient().catch(() => null), wait(MAX_PAGE_WAIT_MS, null, { ref: false })])
      const urls = [client?.serverMetadata().authorization_endpoint, client?.serverMetadata().end_session_endpoint]
      return [...new Set([issuer, ...urls.flatMap((url) => (url === undefined ? [] : new URL(url).origin))])]
    },

    async start({ state }) {
      const library = await loadLibrary()
      const client = await loadClient()
      const secrets: Record<string, string> = {}
      if (config.usesPkce) secrets['verifier'] = library.randomPKCECodeVerifier()
      if (config.sendsNonce) secrets['nonce'] = library.randomNonce()
      const { verifier, nonce } = secrets
      const url = library.buildAuthorizationUrl(client, {
        redirect_uri: config.redirectUri,
        response_type: 'code',
        scope: config.scope,
        state,
        ...(nonce !== undefined && { nonce }),
        ...(verifier !== undefined && {
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
        ...(config.responseMode !== null && { response_mode: config.responseMode }),
        ...(config.prompt !== null && { prompt: config.prompt }),
      })
      return { redirectTo: url.href, secrets }
    },

    async finish({ parameters, state, secrets }) {
      const library = await loadLibrary()
      const client = await loadClient()
      const { verifier, nonce } = secrets
      const url = new URL(config.redirectUri)
      url.search = new URLSearchParams(parameters).toString()
      try {
        const tokens = await library.authorizationCodeGrant(
          client,
          url,
          {
            expectedState: state,
            idTokenExpected: true,
            ...(verifier !== undefined && { pkceCodeVerifier: verifier }),
            ...(nonce !== undefined && { expectedNonce: nonce }),
          },
          config.sendsScopeToTokenEndpoint ? { scope: config.scope } : {},
        )
        const idToken = tokens.claims()
        if (!idToken) throw new ExternalLoginError('refused', 'the provider sent no ID token')
        // The library compares the `sub` of the user information with that of the ID token.
        const userInfo = client.serverMetadata().userinfo_endpoint
          ? await library.fetchUserInfo(client, tokens.access_token, idToken.sub)
          : {}
        return { identity: identityOf([idToken, userInfo], config), assertion: null }
      } catch (err) {
        throw errorOf(err)
      }
    },

    async findSignOutUrl() {
      const library = await loadLibrary()
      const client = await loadClient()
      if (client.serverMetadata().end_session_endpoint === undefined) return null
      return library.buildEndSessionUrl(client, { post_logout_redirect_uri: config.logoutRedirectUri }).href
    },
  }
}

async function createClient(
  library: typeof openIdClient,
  { config, fetcher }: { config: OidcConfig; fetcher: Fetcher },
): Promise<Configuration> {
  const { issuer, clientId, clientSecret, endpoints } = config
  const allowHttp = issuer.startsWith('http:')
  const authentication =
    config.clientAuthMethod === 'basic'
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret)
  const send = fetchWith(fetcher, { allowHttp })
  const insecure = allowHttp ? [library.allowInsecureRequests] : []
  const secure = [library.enableNonRepudiationChecks, ...insecure]
  if (endpoints === null) {
    const client = await library.discovery(new URL(issuer), clientId, {}, authentication, {
      [library.customFetch]: send,
      execute: secure,
    })
    return restrictAlgorithms(library, { client, authentication, clientId, send, secure })
  }
  const server: ServerMetadata = {
    issuer,
    authorization_endpoint: endpoints.authorization,
    token_endpoint: endpoints.token,
    userinfo_endpoint: endpoints.userInfo,
    jwks_uri: endpoints.jwks,
    ...(endpoints.endSession !== null && { end_session_endpoint: endpoints.endSession }),
    id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
  }
  const client = new library.Configuration(server, clientId, {}, authentication)
  client[library.customFetch] = send
  for (const enable of secure) enable(client)
  return client
}

/**
 * Returns a client that accepts only signatures by public keys, whatever algorithms the discovery document lists, since
 * anybody can sign with `none`, and the client secret is not a key of the provider alone.
 */
function restrictAlgorithms(
  library: typeof openIdClient,
  {
    client,
    authentication,
    clientId,
    send,
    secure,
  }: {
    client: Configuration
    authentication: openIdClient.ClientAuth
    clientId: string
    send: ReturnType<typeof fetchWith>
    secure: readonly ((client: Configuration) => void)[]
  },
): Configuration {
  const { supportsPKCE: _, ...server } = client.serverMetadata()
  const listed = server.id_token_signing_alg_values_supported ?? ['RS256']
  const allowed = listed.filter((algorithm) => ID_TOKEN_ALGORITHMS.includes(algorithm))
  const restricted = new library.Configuration(
    { ...server, id_token_signing_alg_values_supported: allowed },
    clientId,
    {},
    authentication,
  )
  restricted[library.customFetch] = send
  for (const enable of secure) enable(restricted)
  return restricted
}

/** `sources`: the claims about the user, the ones that count more first. */
function identityOf(sources: readonly Claims[], config: OidcConfig): ExternalIdentity {
  const claims: Claims = Object.assign({}, ...sources.toReversed())
  const { uidField } = config
  const email = textOf(claims['email'])
  // A source may verify another address than the one that counts.
  const isVerified = sources.some((source) => source['email'] === email && isTrue(source['email_verified']))
  const emailVerified = config.assumesVerifiedEmail || isVerified
  // Anybody could claim an address that the provider has not verified, and with it the account.
  if (uidField === 'email' && !emailVerified) {
    throw new ExternalLoginError('refused', 'the provider has not verified the address that identifies the user')
  }
  const names = [textOf(claims['given_name']), textOf(claims['family_name'])].filter((name) => name !== null)
  return createIdentity({
    uid: textOf(claims[uidField]),
    // The identifier of the user is seldom readable.
    nickname: uidField === 'sub' ? textOf(claims['preferred_username']) : null,
    displayName: textOf(claims['name']) ?? names.join(' '),
    email,
    emailVerified,
    pictureUrl: textOf(claims['picture']),
    roles: mapRoles(config.roleMap, (source) => claims[source]),
  })
}

/** Some providers send the text `true`; every other text, also `false`, does not verify. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true'
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** The texts of a provider can be long. */
const MAX_REASON_CHARACTERS = 500

/**
 * Converts an error of the library. Its causes name what was wrong with a token or a response, and contain no secrets.
 */
function errorOf(err: unknown): ExternalLoginError {
  if (err instanceof ExternalLoginError) return err
  const reasons: string[] = []
  for (let cause = err; cause instanceof Error || cause instanceof Response; cause = causeOf(cause)) {
    if (cause instanceof FetchFailedError || cause instanceof FetchRefusedError) {
      return new ExternalLoginError('unreachable', cause.message)
    }
    const reason = reasonOf(cause)
    if (reason !== null && !reasons.includes(reason)) reasons.push(reason)
    if (cause instanceof Response && isTemporary(cause))
      return new ExternalLoginError('unreachable', reasons.join(': '))
  }
  return new ExternalLoginError('refused', reasons.join(': ').slice(0, MAX_REASON_CHARACTERS) || 'unknown error')
}

function causeOf(err: Error | Response): unknown {
  return err instanceof Response ? null : err.cause
}

/** Returns what an error or an unexpected response says; null: nothing that helps. */
function reasonOf(err: Error | Response): string | null {
  if (err instanceof Response) return `${err.url.split('?')[0]} responded with ${err.status}`
  // May quote a token.
  if (err instanceof SyntaxError) return null
  // An error of OAuth (RFC 6749, sections 4.1.2.1 and 5.2), such as `invalid_client`.
  const { error, error_description: description } = err as { error?: unknown; error_description?: unknown }
  const parts = [err.message, error, description].filter((part) => typeof part === 'string' && part !== '')
  return parts.join(': ')
}

/** Whether the provider is overloaded, being restarted, or unreachable behind its proxy. */
function isTemporary({ status }: Response): boolean {
  return status >= 500 || status === 429
}
