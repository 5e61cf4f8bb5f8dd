import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOAuthApps } from '../../../test/http/oauth-apps.ts'
import type { OAuthApps } from '../../../test/http/oauth-apps.ts'
import { createUserWithPassword } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer } from '../../../test/servers/test-server.ts'

const USER = '/api/v1/accounts/verify_credentials'

let testServer: TestServer
let apps: OAuthApps

before(async () => {
  testServer = await openTestServer()
  apps = createOAuthApps(testServer)
  await createUserWithPassword(testServer.ctx, 'ada')
})
after(() => testServer.close())

test('userinfo returns the account of a token with the scope profile, and 403 for other scopes', async () => {
  const app = await apps.register({ scopes: 'profile read' })
  const browser = await apps.logIn('ada')
  const { body } = await apps.exchange(app, await apps.obtainCode(app, browser, { scope: 'profile' }))
  for (const method of ['GET', 'POST'] as const) {
    const answer = await testServer.anonymous.send({
      method,
      url: '/oauth/userinfo',
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.iss, 'https://linnet.test/')
    assert.match(answer.body.sub, /^https:\/\/linnet\.test\/ap\/users\/\d+$/)
    assert.equal(answer.body.preferred_username, 'ada')
    assert.equal(answer.body.profile, 'https://linnet.test/@ada')
    assert.match(answer.body.picture, /^https:/)
  }
  assert.equal((await apps.request(body.access_token, USER)).status, 200, 'profile is enough for verify_credentials')
  const reading = await apps.exchange(app, await apps.obtainCode(app, browser, { scope: 'read' }))
  const refused = await testServer.anonymous.send({
    method: 'GET',
    url: '/oauth/userinfo',
    headers: { authorization: `Bearer ${reading.body.access_token}` },
  })
  assert.equal(refused.status, 403)
})

test('the metadata lists the endpoints and what they support', async () => {
  const { status, body } = await testServer.anonymous.get('/.well-known/oauth-authorization-server')
  assert.equal(status, 200)
  assert.equal(body.token_endpoint, 'https://linnet.test/oauth/token')
  assert.equal(body.introspection_endpoint, 'https://linnet.test/oauth/introspect')
  assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(body.grant_types_supported, ['authorization_code', 'client_credentials'])
  assert.ok(body.scopes_supported.includes('write:lists'))
})

test('OA16: CORS permits other sites to send tokens, but never cookies', async () => {
  const browser = await apps.logIn('ada')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const origin of ['https://evil.example', 'null']) {
    for (const url of ['/oauth/token', '/api/v1/accounts/verify_credentials', '/oauth/userinfo']) {
      const answer = await testServer.anonymous.send({
        method: 'OPTIONS',
        url,
        headers: { origin, cookie, 'access-control-request-method': 'POST' },
      })
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    }
    for (const url of ['/oauth/authorize', '/account', '/auth/sign_in']) {
      const answer = await testServer.anonymous.send({ method: 'GET', url, headers: { origin, cookie } })
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
    }
  }
  const withCookie = await testServer.anonymous.send({
    method: 'GET',
    url: '/api/v1/accounts/verify_credentials',
    headers: { cookie },
  })
  assert.equal(withCookie.status, 401, 'a cookie does not authenticate on the API')
})
