import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { deleteOwnApplication } from '../../src/domain/auth/own-applications.ts'
import { untilLockWaits } from '../features/lock-waits.ts'
import type { ClientResponse } from './client.ts'
import type { Browser, PageResponse } from './browser.ts'
import { createBrowser, uniqueAddressHeaders } from './browser.ts'
import { PASSWORD } from '../servers/create-user-with-password.ts'
import type { TestServer } from '../servers/test-server.ts'

export const REDIRECT = 'https://app.example/cb?keep=a%20b'

export interface OAuthApp {
  client_id: string
  client_secret: string
}

/** The steps of applications and users in the OAuth flows. */
export interface OAuthApps {
  register(fields?: Record<string, unknown>): Promise<OAuthApp>
  /** Returns a browser in which a user has logged in with `PASSWORD`. */
  logIn(username: string): Promise<Browser>
  /** Opens the consent page, allows the request, and returns the code. */
  obtainCode(app: OAuthApp, browser: Browser, parameters?: Record<string, string>): Promise<string>
  exchange(app: OAuthApp, code: string, more?: Record<string, string>): Promise<ClientResponse>
  /** Requests a token of the application itself, by the client credentials grant. */
  tokenOf(app: OAuthApp, scope: string): Promise<string>
  /** Sends a request with a token. */
  request(token: string, path: string, method?: 'GET' | 'POST', payload?: object): Promise<ClientResponse>
}

export function createOAuthApps(testServer: TestServer): OAuthApps {
  return {
    async register(fields = {}) {
      const body = { client_name: 'Test app', redirect_uris: REDIRECT, scopes: 'read write', ...fields }
      const answer = await testServer.anonymous.post<OAuthApp>('/api/v1/apps', body, uniqueAddressHeaders())
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    },
    async logIn(username) {
      const browser = createBrowser(testServer.server)
      const page = await browser.get('/auth/sign_in')
      const fields = { login: username, password: PASSWORD }
      const answer = await browser.submit(page, '/auth/sign_in', fields, uniqueAddressHeaders())
      assert.equal(answer.status, 303)
      return browser
    },
    async obtainCode(app, browser, parameters = {}) {
      const page = await browser.get(authorizePath(app, parameters))
      const code = redirectLocation(
        await browser.submit(page, '/oauth/authorize', { decision: 'allow' }),
      ).searchParams.get('code')
      assert.ok(code)
      return code
    },
    exchange: (app, code, more = {}) =>
      testServer.anonymous.post('/oauth/token', {
        grant_type: 'authorization_code',
        client_id: app.client_id,
        client_secret: app.client_secret,
        redirect_uri: REDIRECT,
        code,
        ...more,
      }),
    async tokenOf({ client_id, client_secret }, scope) {
      const grant = { client_id, client_secret, grant_type: 'client_credentials', scope }
      return (await testServer.anonymous.post('/oauth/token', grant)).body.access_token
    },
    request: (token, path, method = 'GET', payload = {}) =>
      testServer.anonymous.send({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'POST' ? { payload } : {}),
      }),
  }
}

/**
 * Sends a request that locks an application, while its owner, a new user, deletes it. The deletion has begun before the
 * request locks the application, and is committed before the request continues.
 */
export async function deleteDuring(
  testServer: TestServer,
  app: OAuthApp,
  send: () => Promise<ClientResponse>,
): Promise<ClientResponse> {
  const { ctx } = testServer
  const { userId } = await testServer.createUser()
  const { rows } = await sql<{ id: string }>`
    update applications set owner_user_id = ${userId} where client_id = ${app.client_id} returning id`.execute(ctx.db)
  const { id } = rows[0]!
  let response: Promise<ClientResponse> | undefined
  await ctx.write(async (tx) => {
    await sql`select from applications where id = ${id} for update`.execute(tx.db)
    response = send()
    await untilLockWaits(testServer, 1)
    await deleteOwnApplication(tx, { userId, id })
  })
  return response!
}

/** Returns the path of an authorization request. */
export function authorizePath(app: OAuthApp, parameters: Record<string, string> = {}): string {
  const query = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: REDIRECT,
    scope: 'read',
    ...parameters,
  }
  return `/oauth/authorize?${new URLSearchParams(query).toString()}`
}

/** Returns the target of the redirect after a decision. */
export function redirectLocation(response: PageResponse): URL {
  assert.equal(response.status, 303, response.text)
  return new URL(response.location!)
}
