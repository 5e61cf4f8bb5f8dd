import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createApps } from '../../../test/apps.ts'
import type { Apps } from '../../../test/apps.ts'
import { createAccountWithPassword } from '../../../test/passwords.ts'
import { openWorld } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'

const WHO = '/api/v1/accounts/verify_credentials'

let world: World
let apps: Apps

before(async () => {
  world = await openWorld()
  apps = createApps(world)
  await createAccountWithPassword(world.ctx, 'ada')
})
after(() => world.close())

test('userinfo tells who one is, to holders of the scope profile alone', async () => {
  const app = await apps.register({ scopes: 'profile read' })
  const browser = await apps.logIn('ada')
  const { body } = await apps.exchange(app, await apps.obtainCode(app, browser, { scope: 'profile' }))
  for (const method of ['GET', 'POST'] as const) {
    const answer = await world.anonymous.send({
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
  assert.equal((await apps.ask(body.access_token, WHO)).status, 200, 'profile is enough for verify_credentials')
  const reading = await apps.exchange(app, await apps.obtainCode(app, browser, { scope: 'read' }))
  const refused = await world.anonymous.send({
    method: 'GET',
    url: '/oauth/userinfo',
    headers: { authorization: `Bearer ${reading.body.access_token}` },
  })
  assert.equal(refused.status, 403)
})

test('the metadata names what is there', async () => {
  const { status, body } = await world.anonymous.get('/.well-known/oauth-authorization-server')
  assert.equal(status, 200)
  assert.equal(body.token_endpoint, 'https://linnet.test/oauth/token')
  assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(body.grant_types_supported, ['authorization_code', 'client_credentials'])
  assert.ok(body.scopes_supported.includes('write:lists'))
})

test('OA16: other sites may use tokens, never cookies', async () => {
  const browser = await apps.logIn('ada')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const origin of ['https://evil.example', 'null']) {
    for (const url of ['/oauth/token', '/api/v1/accounts/verify_credentials', '/oauth/userinfo']) {
      const answer = await world.anonymous.send({
        method: 'OPTIONS',
        url,
        headers: { origin, cookie, 'access-control-request-method': 'POST' },
      })
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    }
    for (const url of ['/oauth/authorize', '/account', '/auth/sign_in']) {
      const answer = await world.anonymous.send({ method: 'GET', url, headers: { origin, cookie } })
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
    }
  }
  const withCookie = await world.anonymous.send({
    method: 'GET',
    url: '/api/v1/accounts/verify_credentials',
    headers: { cookie },
  })
  assert.equal(withCookie.status, 401, 'a cookie alone is nobody on the API')
})
