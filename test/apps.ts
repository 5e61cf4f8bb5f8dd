import assert from 'node:assert/strict'
import type { Answer } from './client.ts'
import type { Browser, Visit } from './browser.ts'
import { createBrowser, fromSomewhere } from './browser.ts'
import { PASSWORD } from './passwords.ts'
import type { World } from './world.ts'

export const REDIRECT = 'https://app.example/cb?keep=a%20b'

export interface App {
  client_id: string
  client_secret: string
}

/** What an application and a person do with each other to get a token. */
export interface Apps {
  register(fields?: Record<string, unknown>): Promise<App>
  /** A browser in which somebody is logged in by `PASSWORD`. */
  logIn(username: string): Promise<Browser>
  /** Asks, allows, and gives the code. */
  obtainCode(app: App, browser: Browser, parameters?: Record<string, string>): Promise<string>
  exchange(app: App, code: string, more?: Record<string, string>): Promise<Answer>
  /** A token that stands for the application alone. */
  tokenOf(app: App, scope: string): Promise<string>
  /** Sends a request with a token. */
  ask(token: string, path: string, method?: 'GET' | 'POST', payload?: object): Promise<Answer>
}

export function createApps(world: World): Apps {
  return {
    async register(fields = {}) {
      const body = { client_name: 'Test app', redirect_uris: REDIRECT, scopes: 'read write', ...fields }
      const answer = await world.anonymous.post<App>('/api/v1/apps', body, fromSomewhere())
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body
    },
    async logIn(username) {
      const browser = createBrowser(world.server)
      const page = await browser.get('/auth/sign_in')
      const fields = { login: username, password: PASSWORD }
      const answer = await browser.submit(page, '/auth/sign_in', fields, fromSomewhere())
      assert.equal(answer.status, 303)
      return browser
    },
    async obtainCode(app, browser, parameters = {}) {
      const page = await browser.get(authorizePath(app, parameters))
      const code = wayOn(await browser.submit(page, '/oauth/authorize', { decision: 'allow' })).searchParams.get('code')
      assert.ok(code)
      return code
    },
    exchange: (app, code, more = {}) =>
      world.anonymous.post('/oauth/token', {
        grant_type: 'authorization_code',
        client_id: app.client_id,
        client_secret: app.client_secret,
        redirect_uri: REDIRECT,
        code,
        ...more,
      }),
    async tokenOf({ client_id, client_secret }, scope) {
      const grant = { client_id, client_secret, grant_type: 'client_credentials', scope }
      return (await world.anonymous.post('/oauth/token', grant)).body.access_token
    },
    ask: (token, path, method = 'GET', payload = {}) =>
      world.anonymous.send({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'POST' ? { payload } : {}),
      }),
  }
}

/** The path with which an application sends a person to us. */
export function authorizePath(app: App, parameters: Record<string, string> = {}): string {
  const query = {
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: REDIRECT,
    scope: 'read',
    ...parameters,
  }
  return `/oauth/authorize?${new URLSearchParams(query).toString()}`
}

/** Where a consent redirects to. */
export function wayOn(visit: Visit): URL {
  assert.equal(visit.status, 303, visit.text)
  return new URL(visit.location!)
}
