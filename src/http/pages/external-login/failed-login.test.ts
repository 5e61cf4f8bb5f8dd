import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { startExternalLogin } from '../../../../test/http/external-login.ts'
import { authorizePath, createOAuthApps } from '../../../../test/http/oauth-apps.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openCasServer } from '../../../../test/services/login/cas-server.ts'
import { openOidcServer } from '../../../../test/services/login/oidc-server.ts'

const [oidc, cas] = [await openOidcServer(), await openCasServer()]
const testServer = await openTestServer({ env: { ...oidc.env, ...cas.env } })
after(async () => {
  await testServer.close()
  await Promise.all([oidc.close(), cas.close()])
})
const LOG_IN_FAILED = /The log-in with this provider failed/

/** Returns to the server from the provider, where the user has pressed "Cancel". */
async function returnWithDenial(browser: Browser, start: string | null): Promise<PageResponse> {
  const state = new URL(start!).searchParams.get('state')!
  const query = new URLSearchParams({ error: 'access_denied', state, iss: oidc.issuer })
  return browser.get(`/auth/auth/openid_connect/callback?${query.toString()}`, uniqueAddressHeaders())
}

test('a user who cancels the log-in at the provider still gets to the app by another log-in', async () => {
  await createUserWithPassword(testServer.ctx, 'ada')
  const next = authorizePath(await createOAuthApps(testServer).register())
  const browser = createBrowser(testServer.server)
  const start = await startExternalLogin(browser, { provider: 'openid_connect', next })
  const denied = await returnWithDenial(browser, start.href)
  assert.equal(denied.status, 422)
  assert.match(denied.text, /Log in to continue to Test app/)
  assert.match(denied.text, LOG_IN_FAILED)
  assert.equal(denied.forms.find(({ action }) => action === '/auth/auth/openid_connect')!.values['next'], next)
  const fields = { login: 'ada', password: PASSWORD }
  const answer = await browser.submit(denied, '/auth/sign_in', fields, uniqueAddressHeaders())
  assert.equal(answer.location, next)
})

test('a ticket that the CAS server does not accept does not lose the way to the app, either', async () => {
  const browser = createBrowser(testServer.server)
  const start = await startExternalLogin(browser, { provider: 'cas', next: '/invites' })
  const callback = new URL(start.searchParams.get('service')!)
  callback.searchParams.set('ticket', 'ST-unknown')
  const refused = await browser.get(callback.pathname + callback.search, uniqueAddressHeaders())
  assert.equal(refused.status, 422)
  assert.equal(refused.forms.find(({ action }) => action === '/auth/sign_in')!.values['next'], '/invites')
})

test('a user who adds a provider and cancels gets back to the settings', async () => {
  await createUserWithPassword(testServer.ctx, 'bea')
  const browser = await signIn(testServer.server, { login: 'bea' })
  const settings = await browser.get('/settings/external_logins')
  const start = await browser.submit(settings, '/auth/auth/openid_connect', {}, uniqueAddressHeaders())
  const denied = await returnWithDenial(browser, start.location)
  assert.equal(denied.status, 422)
  assert.match(denied.text, LOG_IN_FAILED)
  assert.match(denied.text, /External log-ins/)
  assert.deepEqual(
    denied.forms.filter(({ action }) => action === '/auth/sign_in'),
    [],
  )
})
