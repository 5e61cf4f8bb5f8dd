import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const OIDC_CLIENT = { id: 'linnet', secret: 'a secret of the client' }

export interface OidcServer {
  issuer: string
  /** The settings with which a server uses this provider. */
  env: Record<string, string>
  /** The user who is logged in at the provider, and the claims about them. */
  user: { sub: string } & Record<string, unknown>
  close(): Promise<void>
}

/**
 * Starts `oidc-provider`, at which the current user logs in and consents without a page. `origin`: of the server that
 * uses it.
 */
export async function openOidcServer({ origin = 'https://linnet.test' } = {}): Promise<OidcServer> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const running: OidcServer = {
    issuer,
    env: {
      OIDC_ENABLED: 'true',
      OIDC_DISPLAY_NAME: 'Example login',
      OIDC_DISCOVERY: 'true',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: OIDC_CLIENT.id,
      OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
      OIDC_SCOPE: 'openid,profile,email',
    },
    user: { sub: 'nobody' },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.id,
        client_secret: OIDC_CLIENT.secret,
        redirect_uris: [`${origin}/auth/auth/openid_connect/callback`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    cookies: { keys: ['a key of the test'] },
    claims: { profile: ['name', 'preferred_username', 'groups', 'picture'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: () => '/interaction' },
    findAccount: async () => ({ accountId: running.user.sub, claims: async () => running.user }),
    async loadExistingGrant() {
      const grant = new provider.Grant({ accountId: running.user.sub, clientId: OIDC_CLIENT.id })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const respond = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction')) return respond(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: running.user.sub } })
  })
  return running
}
