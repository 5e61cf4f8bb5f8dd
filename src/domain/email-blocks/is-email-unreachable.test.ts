import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../test/http/browser.ts'
import { createOAuthApps } from '../../../test/http/oauth-apps.ts'
import { slowFields } from '../../../test/http/pages/sign-up-form.ts'
import { PASSWORD } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer } from '../../../test/servers/test-server.ts'
import { findEmailRefusal } from './find-email-refusal.ts'

const SMTP = { SMTP_SERVER: '127.0.0.1', SMTP_PORT: '1' }

/** Opens a server for which DNS says that `nowhere.test` receives no mail. Lookups of other domains fail. */
const openServer = (env: Record<string, string>) =>
  openTestServer({
    env,
    effects: false,
    findMailHosts: async (domain) => (domain === 'nowhere.test' ? 'no mail' : []),
  })

let count = 0

/** Signs up with an address of the domain, and returns the response and the token of the application. */
async function signUp(testServer: TestServer, domain: string) {
  const apps = createOAuthApps(testServer)
  const appToken = await apps.tokenOf(await apps.register(), 'write')
  count += 1
  const username = `new${count}`
  const payload = { username, email: `${username}@${domain}`, password: PASSWORD, agreement: true, locale: 'en' }
  const headers = { authorization: `Bearer ${appToken}`, ...uniqueAddressHeaders() }
  return testServer.anonymous.post('/api/v1/accounts', payload, headers)
}

suite('an address whose domain receives no mail', async () => {
  const testServer = await openServer(SMTP)
  after(testServer.close)
  const unreachable = [{ error: 'ERR_UNREACHABLE', description: 'Email does not seem to exist' }]

  test('is refused at sign-up; one whose domain cannot be looked up is not', async () => {
    const { status, body } = await signUp(testServer, 'nowhere.test')
    assert.equal(status, 422)
    assert.deepEqual(body, {
      error: 'Validation failed: Email does not seem to exist',
      details: { email: unreachable },
    })
    assert.equal((await signUp(testServer, 'unknown.test')).status, 200)
  })

  test('is refused by the form of the page', async () => {
    const browser = createBrowser(testServer.server)
    const form = await browser.get('/auth/sign_up')
    const fields = { username: 'browsing', email: 'browsing@nowhere.test', password: PASSWORD, agreement: '1' }
    const page = await browser.submit(form, '/auth', { ...fields, ...slowFields(testServer) }, uniqueAddressHeaders())
    assert.equal(page.status, 422)
    assert.match(page.text, /E-mail cannot be delivered to this address/)
  })

  test('is refused as another address of a new user', async () => {
    const { body } = await signUp(testServer, 'unknown.test')
    const headers = { authorization: `Bearer ${body.access_token}` }
    const change = (email: string) => testServer.anonymous.post('/api/v1/emails/confirmations', { email }, headers)
    const refused = await change('other@nowhere.test')
    assert.deepEqual([refused.status, refused.body.details], [422, { email: unreachable }])
    assert.equal((await change('other@unknown.test')).status, 200)
  })
})

test('domains are not looked up without a mail server, nor with a list of allowed domains', async (t) => {
  for (const env of [{}, { ...SMTP, EMAIL_DOMAIN_ALLOWLIST: 'nowhere.test' }]) {
    const testServer = await openServer(env)
    t.after(testServer.close)
    assert.equal((await signUp(testServer, 'nowhere.test')).status, 200)
    assert.equal(await findEmailRefusal(testServer.ctx, { email: 'x@nowhere.test' }), null)
  }
})
