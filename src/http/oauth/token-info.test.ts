import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeToken } from '../../../test/http/callers.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { createOAuthApps } from '../../../test/http/oauth-apps.ts'
import type { OAuthApp, OAuthApps } from '../../../test/http/oauth-apps.ts'
import { createUserWithPassword } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer } from '../../../test/servers/test-server.ts'

const now = new Date('2026-11-05T10:00:00.900Z')
const CREATED_AT = Date.parse('2026-11-05T10:00:00Z') / 1000

let testServer: TestServer
let apps: OAuthApps
let app: OAuthApp
let other: OAuthApp
let userToken = ''
let userId = ''

before(async () => {
  testServer = await openTestServer({ now: () => now })
  apps = createOAuthApps(testServer)
  await createUserWithPassword(testServer.ctx, 'ada')
  ;[app, other] = [await apps.register(), await apps.register()]
  const code = await apps.obtainCode(app, await apps.logIn('ada'), { scope: 'read write:lists' })
  userToken = (await apps.exchange(app, code)).body.access_token
  const row = await testServer.ctx.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  userId = row.id
})
after(() => testServer.close())

const revoke = (of: OAuthApp, token: string) => testServer.anonymous.post('/oauth/revoke', { ...of, token })
const introspect = (payload: object, headers: Record<string, string> = {}) =>
  testServer.anonymous.post('/oauth/introspect', payload, headers)

test('token info describes the token of the request', async () => {
  const { status, headers, body } = await apps.request(userToken, '/oauth/token/info')
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'private, no-store')
  assertEntity('TokenInfo', body)
  assert.deepEqual(body, {
    resource_owner_id: userId,
    scope: ['read', 'write:lists'],
    expires_in: null,
    application: { uid: app.client_id },
    created_at: CREATED_AT,
  })
  const ofApp = await apps.request(await apps.tokenOf(app, 'read'), '/oauth/token/info')
  assert.deepEqual([ofApp.body.resource_owner_id, ofApp.body.scope], [null, ['read']])
})

test('token info returns 401 with a challenge for a missing, unknown or revoked token', async () => {
  const revoked = await apps.tokenOf(app, 'read')
  await revoke(app, revoked)
  for (const authorization of [undefined, 'Bearer unknown', `Bearer ${revoked}`, 'Basic eDp5']) {
    const { status, headers, body } = await testServer.anonymous.send({
      method: 'GET',
      url: '/oauth/token/info',
      headers: { accept: 'text/html', ...(authorization && { authorization }) },
    })
    assert.equal(status, 401, String(authorization))
    assert.deepEqual(body, { error: 'invalid_token', error_description: 'The access token is invalid' })
    assert.match(String(headers['www-authenticate']), /^Bearer realm="Doorkeeper", error="invalid_token"/)
    assert.equal(headers['cache-control'], 'private, no-store')
  }
})

test('an application checks its tokens, with its credentials in the body or by HTTP Basic, or with another token', async () => {
  const token = userToken
  const basic = `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`
  const bearer = `Bearer ${await apps.tokenOf(app, 'read')}`
  for (const { status, headers, body } of [
    await introspect({ ...app, token }),
    await introspect({ token }, { authorization: basic }),
    await introspect({ token }, { authorization: bearer }),
  ]) {
    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'private, no-store')
    assertEntity('TokenIntrospection', body)
    assert.deepEqual(body, {
      active: true,
      scope: 'read write:lists',
      client_id: app.client_id,
      token_type: 'Bearer',
      iat: CREATED_AT,
    })
  }
})

test('unknown and revoked tokens, and those of other applications or of none, are not active', async () => {
  const revoked = await apps.tokenOf(app, 'read')
  await revoke(app, revoked)
  const ofNone = await makeToken(testServer, { userId, scopes: ['read'] })
  for (const token of ['unknown', revoked, await apps.tokenOf(other, 'read'), ofNone]) {
    const { status, body } = await introspect({ ...app, token })
    assert.deepEqual([status, body], [200, { active: false }])
  }
  const byNone = await introspect({ token: userToken }, { authorization: `Bearer ${ofNone}` })
  assert.deepEqual([byNone.status, byNone.body], [200, { active: false }])
})

test('introspection needs valid credentials or a valid token other than the introspected one', async () => {
  const token = userToken
  const errorOf = async (payload: object, headers?: Record<string, string>) => {
    const { status, body } = await introspect(payload, headers)
    return [status, body.error]
  }
  assert.deepEqual(await errorOf({ token }), [400, 'invalid_request'])
  assert.deepEqual(await errorOf(app), [400, 'invalid_request'])
  assert.deepEqual(await errorOf({ ...app, client_secret: 'wrong', token }), [401, 'invalid_client'])
  assert.deepEqual(await errorOf({ client_id: app.client_id, token }), [401, 'invalid_client'])
  assert.deepEqual(await errorOf({ client_id: 'web', token }), [401, 'invalid_client'])
  assert.deepEqual(await errorOf({ token }, { authorization: 'Bearer unknown' }), [401, 'invalid_token'])
  assert.deepEqual(await errorOf({ token }, { authorization: `Bearer ${token}` }), [401, 'invalid_token'])
})
