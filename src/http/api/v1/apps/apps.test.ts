import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createOAuthApps } from '../../../../../test/http/oauth-apps.ts'
import type { OAuthApps } from '../../../../../test/http/oauth-apps.ts'
import { uniqueAddressHeaders } from '../../../../../test/http/browser.ts'
import { untilWindow } from '../../../../../test/http/until-window.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../../test/servers/test-server.ts'

let testServer: TestServer
let aheadMs = 0
let apps: OAuthApps

before(async () => {
  testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
  apps = createOAuthApps(testServer)
})
after(() => testServer.close())

test('OA1: an unsafe or invalid redirect URI is rejected', async () => {
  const rejected = [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '/cb',
    'app.example',
    'https://',
    'https:///x',
    'https://a.example/#f',
    'https://user:pass@a.example/',
    '',
    ' ',
  ]
  for (const uri of rejected) {
    const response = await testServer.anonymous.post(
      '/api/v1/apps',
      { client_name: 'x', redirect_uris: uri },
      uniqueAddressHeaders(),
    )
    assert.equal(response.status, 422, uri)
    assert.match(response.body.error, /^Validation failed: /)
  }
  const accepted = ['http://localhost:3000/cb', 'myapp://callback', 'com.example.app:/cb', 'urn:ietf:wg:oauth:2.0:oob']
  const response = await testServer.anonymous.post(
    '/api/v1/apps',
    { client_name: 'x', redirect_uris: accepted },
    uniqueAddressHeaders(),
  )
  assert.deepEqual(response.body.redirect_uris, accepted)
  assert.equal(response.body.redirect_uri, accepted.join('\n'))
})

test('a valid application is created and gets its credentials', async () => {
  const app = await testServer.anonymous.post(
    '/api/v1/apps',
    {
      client_name: ' An app ',
      redirect_uris: 'https://a.example/1\nhttps://a.example/2 https://a.example/1',
      website: 'https://a.example',
    },
    uniqueAddressHeaders(),
  )
  assert.equal(app.status, 200)
  assert.deepEqual(app.body, {
    id: app.body.id,
    name: 'An app',
    website: 'https://a.example',
    scopes: ['read'],
    redirect_uris: ['https://a.example/1', 'https://a.example/2'],
    redirect_uri: 'https://a.example/1\nhttps://a.example/2',
    vapid_key: testServer.ctx.secrets.vapidPublicKey,
    client_id: app.body.client_id,
    client_secret: app.body.client_secret,
    client_secret_expires_at: 0,
  })
  assert.match(app.body.id, /^\d+$/)
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ client_name: '' }, /Name can't be blank/],
    [{ client_name: undefined }, /Name can't be blank/],
    [{ client_name: 'x'.repeat(61) }, /Name is too long/],
    [{ redirect_uris: undefined }, /can't be blank/],
    [{ redirect_uris: `https://a.example/${'x'.repeat(2_000)}` }, /is too long/],
    [{ scopes: 'read nonsense' }, /Scopes/],
    [{ website: 'ftp://a.example' }, /Website/],
    [{ website: `https://a.example/${'x'.repeat(2_000)}` }, /Website is too long/],
  ]
  for (const [fields, text] of cases) {
    const body = { client_name: 'x', redirect_uris: 'https://a.example', ...fields }
    const response = await testServer.anonymous.post('/api/v1/apps', body, uniqueAddressHeaders())
    assert.equal(response.status, 422)
    assert.match(response.body.error, text)
  }
})

test('every token can read its application, without the secret', async () => {
  const app = await apps.register({ scopes: 'profile' })
  const { body } = await testServer.anonymous.post('/oauth/token', {
    ...app,
    grant_type: 'client_credentials',
    scope: 'profile',
  })
  const response = await testServer.anonymous.send({
    method: 'GET',
    url: '/api/v1/apps/verify_credentials',
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  assert.equal(response.status, 200)
  assert.equal(response.body.name, 'Test app')
  assert.ok(!('client_secret' in response.body) && !('client_id' in response.body))
})

test('BI19: the sixth application within ten minutes from one network gets 429', async () => {
  aheadMs = untilWindow(1)
  const headers = { 'x-forwarded-for': '2001:db8:1:2::1' }
  const fields = { client_name: 'x', redirect_uris: 'https://a.example' }
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await testServer.anonymous.post('/api/v1/apps', fields, headers)).status, 200)
  }
  const sixth = await testServer.anonymous.post('/api/v1/apps', fields, { 'x-forwarded-for': '2001:db8:1:2:ffff::9' })
  assert.equal(sixth.status, 429)
})
