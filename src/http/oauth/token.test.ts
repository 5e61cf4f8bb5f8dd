import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { authorizePath, createOAuthApps, deleteDuring, REDIRECT } from '../../../test/http/oauth-apps.ts'
import type { OAuthApps } from '../../../test/http/oauth-apps.ts'
import { createUserWithPassword, PASSWORD } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestServer } from '../../../test/servers/test-server.ts'
import { generateSecret } from '../../lib/secrets.ts'

const USER = '/api/v1/accounts/verify_credentials'

let testServer: TestServer
let apps: OAuthApps
let now: Date | null = null

before(async () => {
  testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => now ?? new Date() })
  apps = createOAuthApps(testServer)
  await createUserWithPassword(testServer.ctx, 'ada')
})
after(() => testServer.close())
beforeEach(() => {
  now = null
})

test('a token request may be sent as JSON, urlencoded or multipart, and with HTTP Basic', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  const bodies = {
    json: (fields: Record<string, string>) => ({ payload: fields, headers: {} }),
    form: (fields: Record<string, string>) => ({
      payload: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    multipart: (fields: Record<string, string>) => ({
      payload: `${Object.entries(fields)
        .map(([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
        .join('')}--b--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }),
  }
  for (const [kind, encode] of Object.entries(bodies)) {
    for (const basic of [false, true]) {
      const code = await apps.obtainCode(app, browser)
      const { payload, headers } = encode({
        grant_type: 'authorization_code',
        redirect_uri: REDIRECT,
        code,
        ...(basic ? {} : { client_id: app.client_id, client_secret: app.client_secret }),
      })
      const credentials = Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')
      const response = await testServer.anonymous.send({
        method: 'POST',
        url: '/oauth/token',
        payload,
        headers: { ...headers, ...(basic ? { authorization: `Basic ${credentials}` } : {}) },
      })
      assert.equal(response.status, 200, `${kind} ${basic}: ${JSON.stringify(response.body)}`)
    }
  }
})

test('OA2: of twenty concurrent exchanges of a code, one gets a token', async () => {
  const app = await apps.register()
  const code = await apps.obtainCode(app, await apps.logIn('ada'))
  const answers = await Promise.all(Array.from({ length: 20 }, () => apps.exchange(app, code)))
  const successful = answers.filter(({ status }) => status === 200)
  assert.equal(successful.length, 1)
  assert.ok(answers.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'))
  assert.equal(
    (await apps.request(successful[0]!.body.access_token, USER)).status,
    200,
    'immediate retries do not revoke the token',
  )
})

test('OA2: using a code again after ten seconds revokes its token, unless another app sends it', async () => {
  const [app, other] = [await apps.register(), await apps.register()]
  const code = await apps.obtainCode(app, await apps.logIn('ada'))
  const usedAt = Date.now()
  now = new Date(usedAt)
  const { body } = await apps.exchange(app, code)
  now = new Date(usedAt + 9_000)
  assert.equal((await apps.exchange(app, code)).body.error, 'invalid_grant')
  assert.equal((await apps.request(body.access_token, USER)).status, 200)
  now = new Date(usedAt + 11_000)
  assert.equal((await apps.exchange(other, code)).body.error, 'invalid_grant')
  assert.equal((await apps.request(body.access_token, USER)).status, 200)
  assert.equal((await apps.exchange(app, code)).body.error, 'invalid_grant')
  assert.equal((await apps.request(body.access_token, USER)).status, 401)
})

test('OA3: a code is valid for its own client and for ten minutes', async () => {
  const [app, other] = [await apps.register(), await apps.register()]
  const code = await apps.obtainCode(app, await apps.logIn('ada'))
  for (const answer of [
    await apps.exchange(other, code),
    await apps.exchange(app, `${code}x`),
    await apps.exchange(app, generateSecret()),
  ]) {
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error, 'invalid_grant')
    assert.equal(typeof answer.body.error_description, 'string')
  }
  const wrong = await apps.exchange({ ...app, client_secret: generateSecret() }, code)
  assert.equal(wrong.status, 401)
  assert.equal(wrong.body.error, 'invalid_client')
  assert.equal((await apps.exchange({ ...app, client_secret: '' }, code)).status, 401)
  now = new Date(Date.now() + 10 * 60_000)
  assert.equal((await apps.exchange(app, code)).body.error, 'invalid_grant')
  now = null
  assert.equal((await apps.exchange(app, code)).status, 200)
})

test('OA3: a code challenge requires its verifier, and only S256 is supported', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  const verifier = generateSecret()
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const pkceParams = { code_challenge: challenge, code_challenge_method: 'S256' }
  for (const wrong of ['', generateSecret(), challenge, 'x'.repeat(200)]) {
    const code = await apps.obtainCode(app, browser, pkceParams)
    const answer = await apps.exchange(app, code, wrong ? { code_verifier: wrong } : {})
    assert.equal(answer.body.error, 'invalid_grant', wrong)
  }
  assert.equal(
    (await apps.exchange(app, await apps.obtainCode(app, browser, pkceParams), { code_verifier: verifier })).status,
    200,
  )
  const withoutChallenge = await apps.exchange(app, await apps.obtainCode(app, browser), { code_verifier: verifier })
  assert.equal(
    withoutChallenge.body.error,
    'invalid_grant',
    'a challenge that an attacker removed from the request is detected',
  )
  for (const refused of [
    { code_challenge: challenge, code_challenge_method: 'plain' },
    { code_challenge: challenge },
    { code_challenge: 'short', code_challenge_method: 'S256' },
    { code_challenge_method: 'S256' },
  ]) {
    assert.equal((await browser.get(authorizePath(app, refused as Record<string, string>))).status, 400)
  }
})

test('OA4: a token never has more scopes than the app registered and the user allowed', async () => {
  const app = await apps.register({ scopes: 'read:accounts write' })
  const browser = await apps.logIn('ada')
  for (const scope of ['read', 'read:accounts follow', 'admin:read', 'push', 'nonsense', 'read:accounts read:lists']) {
    const page = await browser.get(authorizePath(app, { scope }))
    assert.equal(page.status, 400, scope)
    const clientToken = await testServer.anonymous.post('/oauth/token', {
      ...app,
      grant_type: 'client_credentials',
      scope,
    })
    assert.equal(clientToken.status, 400)
    assert.equal(clientToken.body.error, 'invalid_scope')
  }
  const code = await apps.obtainCode(app, browser, { scope: 'write:lists' })
  const token = await apps.exchange(app, code, { scope: 'read:accounts write' })
  assert.equal(token.body.scope, 'write:lists')
})

test('OA5: a revoked token is invalid at once', async () => {
  const app = await apps.register()
  const { body } = await apps.exchange(app, await apps.obtainCode(app, await apps.logIn('ada')))
  assert.equal((await apps.request(body.access_token, USER)).status, 200)
  const answer = await testServer.anonymous.post('/oauth/revoke', { ...app, token: body.access_token })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {})
  assert.equal((await apps.request(body.access_token, USER)).status, 401)
  assert.equal((await testServer.anonymous.post('/oauth/revoke', { ...app, token: body.access_token })).status, 200)
  assert.equal((await testServer.anonymous.post('/oauth/revoke', { ...app, token: generateSecret() })).status, 200)
})

test('OA6: a client can revoke only its own tokens, and only with its secret', async () => {
  const [app, other] = [await apps.register(), await apps.register()]
  const { body } = await apps.exchange(app, await apps.obtainCode(app, await apps.logIn('ada')))
  const token = body.access_token
  for (const client of [other, { ...app, client_secret: generateSecret() }, { client_id: app.client_id }, {}]) {
    const answer = await testServer.anonymous.post('/oauth/revoke', { ...client, token })
    assert.equal(answer.status, 403)
    assert.equal(answer.body.error, 'unauthorized_client')
  }
  assert.equal((await apps.request(token, USER)).status, 200)
})

test('a client credentials token has no user', async () => {
  const app = await apps.register({ scopes: 'read write' })
  const { body } = await testServer.anonymous.post('/oauth/token', { ...app, grant_type: 'client_credentials' })
  assert.equal(body.scope, 'read')
  assert.equal((await apps.request(body.access_token, USER)).status, 422)
  for (const grant of ['password', 'refresh_token', 'implicit']) {
    const answer = await testServer.anonymous.post('/oauth/token', {
      ...app,
      grant_type: grant,
      username: 'ada',
      password: PASSWORD,
    })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error, 'unsupported_grant_type')
  }
  const nothing = await testServer.anonymous.post('/oauth/token', app)
  assert.equal(nothing.status, 400)
  assert.equal(nothing.body.error, 'invalid_request')
})

test('an application that its owner deletes while it requests a token of its own gets none', async () => {
  const app = await apps.register()
  const grant = { ...app, grant_type: 'client_credentials', scope: 'read' }
  const { status, body } = await deleteDuring(testServer, app, () => testServer.anonymous.post('/oauth/token', grant))
  assert.deepEqual([status, body.error], [401, 'invalid_client'])
})
