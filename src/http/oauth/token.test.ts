import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { authorizePath, createApps, REDIRECT } from '../../../test/apps.ts'
import type { Apps } from '../../../test/apps.ts'
import { createAccountWithPassword, PASSWORD } from '../../../test/passwords.ts'
import { openWorld } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { makeSecret } from '../../lib/secrets.ts'

const WHO = '/api/v1/accounts/verify_credentials'

let world: World
let apps: Apps
let now: Date | null = null

before(async () => {
  world = await openWorld({ env: { DB_POOL: '10' }, now: () => now ?? new Date() })
  apps = createApps(world)
  await createAccountWithPassword(world.ctx, 'ada')
})
after(() => world.close())
beforeEach(() => {
  now = null
})

test('a token request may come as JSON, as a form, as multipart, and with HTTP Basic', async () => {
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
  for (const [kind, make] of Object.entries(bodies)) {
    for (const basic of [false, true]) {
      const code = await apps.obtainCode(app, browser)
      const { payload, headers } = make({
        grant_type: 'authorization_code',
        redirect_uri: REDIRECT,
        code,
        ...(basic ? {} : { client_id: app.client_id, client_secret: app.client_secret }),
      })
      const credentials = Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')
      const answer = await world.anonymous.send({
        method: 'POST',
        url: '/oauth/token',
        payload,
        headers: { ...headers, ...(basic ? { authorization: `Basic ${credentials}` } : {}) },
      })
      assert.equal(answer.status, 200, `${kind} ${basic}: ${JSON.stringify(answer.body)}`)
    }
  }
})

test('OA2: of twenty exchanges at once one gets a token', async () => {
  const app = await apps.register()
  const code = await apps.obtainCode(app, await apps.logIn('ada'))
  const answers = await Promise.all(Array.from({ length: 20 }, () => apps.exchange(app, code)))
  const given = answers.filter(({ status }) => status === 200)
  assert.equal(given.length, 1)
  assert.ok(answers.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'))
  assert.equal((await apps.ask(given[0]!.body.access_token, WHO)).status, 200, 'a retry in good faith breaks nothing')
})

test('OA2: a code that comes again after ten seconds takes back what it gave, and no other app can do that', async () => {
  const [app, other] = [await apps.register(), await apps.register()]
  const code = await apps.obtainCode(app, await apps.logIn('ada'))
  const { body } = await apps.exchange(app, code)
  now = new Date(Date.now() + 9_000)
  assert.equal((await apps.exchange(app, code)).body.error, 'invalid_grant')
  assert.equal((await apps.ask(body.access_token, WHO)).status, 200)
  now = new Date(Date.now() + 11_000)
  assert.equal((await apps.exchange(other, code)).body.error, 'invalid_grant')
  assert.equal((await apps.ask(body.access_token, WHO)).status, 200)
  assert.equal((await apps.exchange(app, code)).body.error, 'invalid_grant')
  assert.equal((await apps.ask(body.access_token, WHO)).status, 401)
})

test('OA3: a code is for its own client and for ten minutes', async () => {
  const [app, other] = [await apps.register(), await apps.register()]
  const code = await apps.obtainCode(app, await apps.logIn('ada'))
  for (const answer of [
    await apps.exchange(other, code),
    await apps.exchange(app, `${code}x`),
    await apps.exchange(app, makeSecret()),
  ]) {
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error, 'invalid_grant')
    assert.equal(typeof answer.body.error_description, 'string')
  }
  const wrong = await apps.exchange({ ...app, client_secret: makeSecret() }, code)
  assert.equal(wrong.status, 401)
  assert.equal(wrong.body.error, 'invalid_client')
  assert.equal((await apps.exchange({ ...app, client_secret: '' }, code)).status, 401)
  now = new Date(Date.now() + 10 * 60_000)
  assert.equal((await apps.exchange(app, code)).body.error, 'invalid_grant')
  now = null
  assert.equal((await apps.exchange(app, code)).status, 200)
})

test('OA3: a code challenge must be answered by its verifier, and only S256 is one', async () => {
  const app = await apps.register()
  const browser = await apps.logIn('ada')
  const verifier = makeSecret()
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
  for (const wrong of ['', makeSecret(), challenge, 'x'.repeat(200)]) {
    const code = await apps.obtainCode(app, browser, asked)
    const answer = await apps.exchange(app, code, wrong ? { code_verifier: wrong } : {})
    assert.equal(answer.body.error, 'invalid_grant', wrong)
  }
  assert.equal(
    (await apps.exchange(app, await apps.obtainCode(app, browser, asked), { code_verifier: verifier })).status,
    200,
  )
  const unasked = await apps.exchange(app, await apps.obtainCode(app, browser), { code_verifier: verifier })
  assert.equal(unasked.body.error, 'invalid_grant', 'a challenge that somebody removed on the way is missed')
  for (const refused of [
    { code_challenge: challenge, code_challenge_method: 'plain' },
    { code_challenge: challenge },
    { code_challenge: 'short', code_challenge_method: 'S256' },
    { code_challenge_method: 'S256' },
  ]) {
    assert.equal((await browser.get(authorizePath(app, refused as Record<string, string>))).status, 400)
  }
})

test('OA4: a token never holds more than the app may ask for and the person allowed', async () => {
  const app = await apps.register({ scopes: 'read:accounts write' })
  const browser = await apps.logIn('ada')
  for (const scope of ['read', 'read:accounts follow', 'admin:read', 'push', 'nonsense', 'read:accounts read:lists']) {
    const page = await browser.get(authorizePath(app, { scope }))
    assert.equal(page.status, 400, scope)
    const alone = await world.anonymous.post('/oauth/token', { ...app, grant_type: 'client_credentials', scope })
    assert.equal(alone.status, 400)
    assert.equal(alone.body.error, 'invalid_scope')
  }
  const code = await apps.obtainCode(app, browser, { scope: 'write:lists' })
  const token = await apps.exchange(app, code, { scope: 'read:accounts write' })
  assert.equal(token.body.scope, 'write:lists')
})

test('OA5: a revoked token is dead at once', async () => {
  const app = await apps.register()
  const { body } = await apps.exchange(app, await apps.obtainCode(app, await apps.logIn('ada')))
  assert.equal((await apps.ask(body.access_token, WHO)).status, 200)
  const answer = await world.anonymous.post('/oauth/revoke', { ...app, token: body.access_token })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {})
  assert.equal((await apps.ask(body.access_token, WHO)).status, 401)
  assert.equal((await world.anonymous.post('/oauth/revoke', { ...app, token: body.access_token })).status, 200)
  assert.equal((await world.anonymous.post('/oauth/revoke', { ...app, token: makeSecret() })).status, 200)
})

test("OA6: an app can not revoke another one's token, nor anybody without the secret", async () => {
  const [app, other] = [await apps.register(), await apps.register()]
  const { body } = await apps.exchange(app, await apps.obtainCode(app, await apps.logIn('ada')))
  const token = body.access_token
  for (const client of [other, { ...app, client_secret: makeSecret() }, { client_id: app.client_id }, {}]) {
    const answer = await world.anonymous.post('/oauth/revoke', { ...client, token })
    assert.equal(answer.status, 403)
    assert.equal(answer.body.error, 'unauthorized_client')
  }
  assert.equal((await apps.ask(token, WHO)).status, 200)
})

test('a token for the app alone stands for nobody', async () => {
  const app = await apps.register({ scopes: 'read write' })
  const { body } = await world.anonymous.post('/oauth/token', { ...app, grant_type: 'client_credentials' })
  assert.equal(body.scope, 'read')
  assert.equal((await apps.ask(body.access_token, WHO)).status, 422)
  for (const grant of ['password', 'refresh_token', 'implicit']) {
    const answer = await world.anonymous.post('/oauth/token', {
      ...app,
      grant_type: grant,
      username: 'ada',
      password: PASSWORD,
    })
    assert.equal(answer.status, 400)
    assert.equal(answer.body.error, 'unsupported_grant_type')
  }
  const nothing = await world.anonymous.post('/oauth/token', app)
  assert.equal(nothing.status, 400)
  assert.equal(nothing.body.error, 'invalid_request')
})
