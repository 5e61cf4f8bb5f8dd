import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { logInExternally, startExternalLogin } from '../../../../test/http/external-login.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openCasServer } from '../../../../test/services/login/cas-server.ts'
import { createProviderBrowser } from '../../../../test/services/login/provider-browser.ts'

const provider = 'cas'
const cas = await openCasServer()
const testServer = await openTestServer({ env: cas.env, effects: false })
after(async () => {
  await testServer.close()
  await cas.close()
})

test('a user of the CAS server creates an account and logs in again; the address is to be confirmed', async () => {
  cas.user = { name: 'ada', attributes: { email: 'ada@campus.test', firstname: 'Ada', lastname: 'L.' } }
  const { browser, response } = await logInExternally(testServer, { provider })
  const page = await browser.get(response.location!)
  const { values } = page.forms.find(({ action }) => action === '/auth/external')!
  assert.deepEqual([values['username'], values['email']], ['ada', 'ada@campus.test'])
  const done = await browser.submit(page, '/auth/external', { agreement: '1' }, uniqueAddressHeaders())
  assert.equal(done.location, '/auth/setup')
  assert.equal((await logInExternally(testServer, { provider })).response.location, '/account')
})

test('tickets that the server does not accept, of another log-in, and other responses are refused', async () => {
  const { browser, callback } = await logInExternally(testServer, { provider })
  assert.equal((await browser.get(callback, uniqueAddressHeaders())).status, 422, 'used')
  const user = (name: string) => `<c:authenticationSuccess><c:user>${name}</c:user></c:authenticationSuccess>`
  const responses = [
    null,
    '',
    'yes\nada\n',
    user('ada'),
    `<c:serviceResponse>${user('')}</c:serviceResponse>`,
    `<c:serviceResponse>${user('eve')}${user('ada')}</c:serviceResponse>`,
    `<c:serviceResponse><c:authenticationFailure>${user('ada')}</c:authenticationFailure></c:serviceResponse>`,
    `<!DOCTYPE c [<!ENTITY a "ada">]><c:serviceResponse>${user('ada')}</c:serviceResponse>`,
  ]
  for (const response of responses) {
    const other = createBrowser(testServer.server)
    const start = await startExternalLogin(other, { provider })
    const url = await createProviderBrowser({ origin: start.origin }).visit(start.href)
    // Without a response of its own, the server sees a ticket that it has not issued.
    if (response === null) url.searchParams.set('ticket', 'ST-1')
    cas.response = response
    const answer = await other.get(url.pathname + url.search, uniqueAddressHeaders())
    assert.equal(answer.status, 422, String(response))
  }
  cas.response = null
})

test('a message about the end of the session at the CAS server has no effect', async () => {
  const message = { logoutRequest: '<samlp:LogoutRequest/>' }
  const answer = await createBrowser(testServer.server).post('/auth/auth/cas/callback', message, uniqueAddressHeaders())
  assert.deepEqual([answer.status, answer.location], [200, null])
})
