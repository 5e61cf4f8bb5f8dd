import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { startExternalLogin } from '../../../../test/http/external-login.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openHostileOidcServer } from '../../../../test/services/login/hostile-oidc-server.ts'
import type { TokenFaults } from '../../../../test/services/login/hostile-oidc-server.ts'

const oidc = await openHostileOidcServer()
let reasons: string[] = []
const testServer = await openTestServer({
  env: oidc.env,
  effects: false,
  onLogLine: (line) => {
    const { msg, reason } = JSON.parse(line) as { msg: string; reason?: string }
    if (msg === 'An external log-in failed') reasons.push(reason ?? '')
  },
})
after(async () => {
  await testServer.close()
  await oidc.close()
})

/** Logs in at the provider with these faults. Returns the status, the notice of the page, and the logged reason. */
async function logIn(faults: TokenFaults) {
  const browser = createBrowser(testServer.server)
  const start = await startExternalLogin(browser, { provider: 'openid_connect' })
  reasons = []
  oidc.faults = faults
  oidc.nonce = start.searchParams.get('nonce')!
  const parameters = new URLSearchParams({ code: 'code', state: start.searchParams.get('state')! })
  const path = `/auth/auth/openid_connect/callback?${parameters.toString()}`
  const { status, text } = await browser.get(path, uniqueAddressHeaders())
  oidc.faults = {}
  return { status, text, reason: reasons.join() }
}

test('a provider that fails temporarily is reported to the user as one that does not respond', async () => {
  for (const path of ['/token', '/userinfo']) {
    for (const failure of [500, 502, 503, 429]) {
      const { status, text, reason } = await logIn({ responses: { [path]: { status: failure } } })
      assert.equal(status, 503)
      assert.match(text, /The provider does not respond\. Please try again later\./)
      assert.ok(reason.endsWith(`: ${oidc.issuer}${path} responded with ${failure}`), reason)
    }
  }
})

test('the log says what is wrong with the settings or with the response of the provider', async () => {
  const now = Math.floor(Date.now() / 1000)
  const error = { error: 'invalid_client', error_description: 'The secret is wrong' }
  const cases: [TokenFaults, RegExp][] = [
    [{ responses: { '/token': { status: 401, body: error } } }, /: invalid_client: The secret is wrong$/],
    [{ responses: { '/token': { status: 404 } } }, /\/token responded with 404$/],
    [{ claims: { nbf: now + 600, exp: now + 900 } }, /"nbf"/],
    [{ claims: { aud: 'other' } }, /"aud"/],
    [{ claims: { iss: 'https://other.test' } }, /"iss"/],
  ]
  for (const [faults, expected] of cases) {
    const { status, reason } = await logIn(faults)
    assert.equal(status, 422)
    assert.match(reason, expected)
  }
})
