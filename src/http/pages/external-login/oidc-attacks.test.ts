import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser, PageResponse } from '../../../../test/http/browser.ts'
import { startExternalLogin } from '../../../../test/http/external-login.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openHostileOidcServer } from '../../../../test/services/login/hostile-oidc-server.ts'
import type { TokenFaults } from '../../../../test/services/login/hostile-oidc-server.ts'

const oidc = await openHostileOidcServer()
const testServer = await openTestServer({ env: oidc.env, effects: false })
after(async () => {
  await testServer.close()
  await oidc.close()
})

/** Logs in at the provider, whose ID token has these faults. Returns the browser, and the response to the callback. */
async function callBack(
  faults: TokenFaults,
  { nonce, query = {} }: { nonce?: string; query?: Record<string, string> } = {},
): Promise<{ browser: Browser; response: PageResponse }> {
  const browser = createBrowser(testServer.server)
  const start = await startExternalLogin(browser, { provider: 'openid_connect' })
  oidc.faults = faults
  oidc.nonce = nonce ?? start.searchParams.get('nonce')!
  const parameters = new URLSearchParams({ code: 'code', state: start.searchParams.get('state')!, ...query })
  const path = `/auth/auth/openid_connect/callback?${parameters.toString()}`
  return { browser, response: await browser.get(path, uniqueAddressHeaders()) }
}

/** Returns the status code and the target of the response. */
async function logIn(...input: Parameters<typeof callBack>): Promise<[number, string | null]> {
  const { response } = await callBack(...input)
  return [response.status, response.location]
}

test('OA11 only an ID token that the provider signed for this server and this log-in is accepted', async () => {
  const [status, location] = await logIn({})
  assert.equal(status, 303)
  assert.match(location!, /^\/auth\/external\?/)
  const now = Math.floor(Date.now() / 1000)
  const faults: Record<string, TokenFaults> = {
    'no signature': { alg: 'none' },
    'signed with the client secret': { alg: 'HS256' },
    'signed with another key': { otherKey: true },
    'another issuer': { claims: { iss: 'https://other.test' } },
    'another audience': { claims: { aud: 'other' } },
    'several audiences for another client': { claims: { aud: ['linnet', 'other'], azp: 'other' } },
    expired: { claims: { iat: now - 7_200, exp: now - 3_600 } },
    'no nonce': { claims: { nonce: undefined } },
    'no ID token': { withoutIdToken: true },
    'user information about another user': { userInfoSub: 'other' },
    'no user': { claims: { sub: '' } },
    'control characters in the user': { claims: { sub: 'a\u0000b' } },
  }
  for (const [name, fault] of Object.entries(faults)) assert.deepEqual(await logIn(fault), [422, null], name)
  assert.deepEqual(await logIn({}, { nonce: 'the nonce of another log-in' }), [422, null])
  assert.deepEqual(await logIn({}, { query: { iss: 'https://mix-up.test' } }), [422, null])
  assert.deepEqual(await logIn({}, { query: { error: 'access_denied' } }), [422, null])
  assert.equal((await testServer.ctx.db.selectFrom('external_identities').select('id').execute()).length, 0)
})

test('OA11 an address is verified only by claims about the same address', async () => {
  const asksForEmail = async (faults: TokenFaults) => {
    const { browser, response } = await callBack(faults)
    const page = await browser.get(response.location!)
    return 'email' in page.forms.find(({ action }) => action === '/auth/external')!.values
  }
  const claims = { email: 'victim@mail.test' }
  const userInfo = { email: 'own@mail.test', email_verified: true }
  assert.equal(await asksForEmail({ claims, userInfo }), true, 'another address is verified')
  assert.equal(await asksForEmail({ claims, userInfo: { ...userInfo, ...claims } }), false)
  assert.equal(await asksForEmail({ claims: { ...claims, email_verified: true } }), false)
})

test('the authorization request has PKCE, a nonce and a state, and no secret', async () => {
  const start = await startExternalLogin(createBrowser(testServer.server), { provider: 'openid_connect' })
  const { searchParams } = start
  assert.equal(searchParams.get('code_challenge_method'), 'S256')
  assert.match(searchParams.get('code_challenge')!, /^[\w-]{43}$/)
  assert.ok(searchParams.get('nonce'))
  assert.equal(searchParams.get('redirect_uri'), 'https://linnet.test/auth/auth/openid_connect/callback')
  assert.doesNotMatch(start.href, /secret/)
})

test('a provider that does not respond shows an error, and local log-ins go on', async () => {
  const silent = await openTestServer({ env: { ...oidc.env, OIDC_ISSUER: 'http://localhost:9' }, effects: false })
  try {
    const browser = createBrowser(silent.server)
    const page = await browser.get('/auth/sign_in')
    const answer = await browser.submit(page, '/auth/auth/openid_connect', {}, uniqueAddressHeaders())
    assert.equal(answer.status, 503)
    assert.match(answer.text, /does not respond/)
    assert.ok(answer.forms.some(({ action }) => action === '/auth/sign_in'))
  } finally {
    await silent.close()
  }
})
