import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OIDC_CLIENT } from './oidc-server.ts'

/** How an ID token differs from a valid one. */
export interface TokenFaults {
  alg?: 'RS256' | 'HS256' | 'none'
  /** Signs with a key that the provider has not published. */
  otherKey?: boolean
  claims?: Record<string, unknown>
  /** The `sub` of the user information. */
  userInfoSub?: string
  /** Further claims of the user information. */
  userInfo?: Record<string, unknown>
  /** The response has no ID token. */
  withoutIdToken?: boolean
  /** Responses of paths instead of the correct ones. */
  responses?: Record<string, { status: number; body?: object }>
}

export interface HostileOidcServer {
  issuer: string
  env: Record<string, string>
  /** The nonce of the next ID token: the test copies it from the authorization request. */
  nonce: string
  faults: TokenFaults
  close(): Promise<void>
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Starts a provider that issues ID tokens with faults, and accepts every code. */
export async function openHostileOidcServer(): Promise<HostileOidcServer> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const running: HostileOidcServer = {
    issuer,
    env: {
      OIDC_ENABLED: 'true',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
      OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
      OIDC_SCOPE: 'openid',
      OIDC_DISCOVERY: 'true',
    },
    nonce: '',
    faults: {},
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  const createIdToken = (): string => {
    const { alg = 'RS256', otherKey = false, claims = {} } = running.faults
    const now = Math.floor(Date.now() / 1000)
    const payload = { iss: issuer, aud: OIDC_CLIENT.id, sub: 'victim', nonce: running.nonce, iat: now, exp: now + 60 }
    const text = `${base64url({ alg, ...(alg === 'RS256' && { kid: '1' }) })}.${base64url({ ...payload, ...claims })}`
    if (alg === 'none') return `${text}.`
    const signature =
      alg === 'HS256'
        ? createHmac('sha256', OIDC_CLIENT.secret).update(text).digest('base64url')
        : sign('sha256', Buffer.from(text), (otherKey ? otherKeys : keys).privateKey).toString('base64url')
    return `${text}.${signature}`
  }
  const bodies: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    }),
    '/jwks': () => ({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }] }),
    '/token': () => ({
      access_token: 'token',
      token_type: 'Bearer',
      ...(!running.faults.withoutIdToken && { id_token: createIdToken() }),
    }),
    '/userinfo': () => ({
      sub: running.faults.userInfoSub ?? 'victim',
      email: 'victim@mail.test',
      ...running.faults.userInfo,
    }),
  }
  server.on('request', (request, response) => {
    request.resume()
    const path = request.url ?? ''
    const replaced = running.faults.responses?.[path]
    if (replaced && !replaced.body) return void response.writeHead(replaced.status).end('<html>')
    const body = replaced?.body ?? bodies[path]?.()
    const status = replaced?.status ?? (body ? 200 : 404)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
  })
  return running
}
