import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createApps } from '../../../../test/apps.ts'
import type { Apps } from '../../../../test/apps.ts'
import { fromSomewhere } from '../../../../test/browser.ts'
import { untilWindow } from '../../../../test/until-window.ts'
import { openWorld } from '../../../../test/world.ts'
import type { World } from '../../../../test/world.ts'

let world: World
let later = 0
let apps: Apps

before(async () => {
  world = await openWorld({ now: () => new Date(Date.now() + later) })
  apps = createApps(world)
})
after(() => world.close())

test('OA1: an address that runs code, or is none, can not be registered', async () => {
  const refused = [
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
  for (const one of refused) {
    const answer = await world.anonymous.post('/api/v1/apps', { client_name: 'x', redirect_uris: one }, fromSomewhere())
    assert.equal(answer.status, 422, one)
    assert.match(answer.body.error, /^Validation failed: /)
  }
  const fine = ['http://localhost:3000/cb', 'myapp://callback', 'com.example.app:/cb', 'urn:ietf:wg:oauth:2.0:oob']
  const answer = await world.anonymous.post('/api/v1/apps', { client_name: 'x', redirect_uris: fine }, fromSomewhere())
  assert.deepEqual(answer.body.redirect_uris, fine)
  assert.equal(answer.body.redirect_uri, fine.join('\n'))
})

test('an app is registered by the rules, and told who it is', async () => {
  const app = await world.anonymous.post(
    '/api/v1/apps',
    {
      client_name: ' An app ',
      redirect_uris: 'https://a.example/1\nhttps://a.example/2 https://a.example/1',
      website: 'https://a.example',
    },
    fromSomewhere(),
  )
  assert.equal(app.status, 200)
  assert.deepEqual(app.body, {
    id: app.body.id,
    name: 'An app',
    website: 'https://a.example',
    scopes: ['read'],
    redirect_uris: ['https://a.example/1', 'https://a.example/2'],
    redirect_uri: 'https://a.example/1\nhttps://a.example/2',
    vapid_key: world.ctx.secrets.vapidPublicKey,
    client_id: app.body.client_id,
    client_secret: app.body.client_secret,
    client_secret_expires_at: 0,
  })
  assert.match(app.body.id, /^\d+$/)
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ client_name: '' }, /Name can't be blank/],
    [{ client_name: undefined }, /Name can't be blank/],
    [{ client_name: 'x'.repeat(61) }, /Name is too long/],
    [{ redirect_uris: undefined }, /can't be blank/],
    [{ redirect_uris: `https://a.example/${'x'.repeat(2_000)}` }, /is too long/],
    [{ scopes: 'read nonsense' }, /Scopes/],
    [{ website: 'ftp://a.example' }, /Website/],
    [{ website: `https://a.example/${'x'.repeat(2_000)}` }, /Website is too long/],
  ]
  for (const [fields, text] of wrong) {
    const body = { client_name: 'x', redirect_uris: 'https://a.example', ...fields }
    const answer = await world.anonymous.post('/api/v1/apps', body, fromSomewhere())
    assert.equal(answer.status, 422)
    assert.match(answer.body.error, text)
  }
})

test('any token tells its app, without the secret', async () => {
  const app = await apps.register({ scopes: 'profile' })
  const { body } = await world.anonymous.post('/oauth/token', {
    ...app,
    grant_type: 'client_credentials',
    scope: 'profile',
  })
  const answer = await world.anonymous.send({
    method: 'GET',
    url: '/api/v1/apps/verify_credentials',
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  assert.equal(answer.status, 200)
  assert.equal(answer.body.name, 'Test app')
  assert.ok(!('client_secret' in answer.body) && !('client_id' in answer.body))
})

test('BI19: the sixth app of ten minutes from one address is refused', async () => {
  later = untilWindow(1)
  const headers = { 'x-forwarded-for': '2001:db8:1:2::1' }
  const fields = { client_name: 'x', redirect_uris: 'https://a.example' }
  for (let count = 0; count < 5; count += 1) {
    assert.equal((await world.anonymous.post('/api/v1/apps', fields, headers)).status, 200)
  }
  const sixth = await world.anonymous.post('/api/v1/apps', fields, { 'x-forwarded-for': '2001:db8:1:2:ffff::9' })
  assert.equal(sixth.status, 429)
})
