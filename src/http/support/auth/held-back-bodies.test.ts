import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { createSessionCallers, makeToken } from '../../../../test/http/callers.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { ALL_SCOPES } from '../../../lib/http/scopes.ts'
import { hashSecret } from '../../../lib/secrets.ts'

/** Longer than a request stays authorised. */
const HOLD_MS = 1_500

let heldMs = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + heldMs) })
after(testServer.close)
const { db } = testServer.ctx

/**
 * Sends the headers of a request, does `meanwhile` when the server has authorised them and begins to read the body, and
 * sends the body after `HOLD_MS`.
 */
async function sendHeldBack(
  url: string,
  { headers, body, meanwhile }: { headers: Record<string, string>; body: string; meanwhile: () => Promise<unknown> },
): Promise<{ status: number; body: string }> {
  const payload = Readable.from(
    (async function* () {
      await meanwhile()
      heldMs += HOLD_MS
      yield Buffer.from(body)
    })(),
  )
  const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
  const response = await testServer.server.inject({
    method: 'POST',
    url,
    headers: { 'content-type': type, 'transfer-encoding': 'chunked', ...headers },
    payload,
  })
  return { status: response.statusCode, body: response.body }
}

const POST = JSON.stringify({ status: 'Held back' })

async function countPosts(accountId: string): Promise<number> {
  return (await db.selectFrom('statuses').select('id').where('account_id', '=', accountId).execute()).length
}

test('OA5 a token that is revoked before the body arrives is refused, and nothing is posted', async () => {
  const { token, accountId } = await testServer.createUser()
  const headers = { authorization: `Bearer ${token}` }
  const kept = await sendHeldBack('/api/v1/statuses', { headers, body: POST, meanwhile: async () => {} })
  assert.equal(kept.status, 200, kept.body)
  const refused = await sendHeldBack('/api/v1/statuses', {
    headers,
    body: POST,
    meanwhile: () =>
      db
        .updateTable('access_tokens')
        .set({ revoked_at: new Date() })
        .where('token_hash', '=', hashSecret(token))
        .execute(),
  })
  assert.deepEqual(refused, { status: 401, body: '{"error":"The access token was revoked"}' })
  assert.equal(await countPosts(accountId), 1)
})

test('OA5 a user who is suspended before the body arrives posts nothing', async () => {
  const { token, accountId } = await testServer.createUser()
  const refused = await sendHeldBack('/api/v1/statuses', {
    headers: { authorization: `Bearer ${token}` },
    body: POST,
    meanwhile: () => db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', '=', accountId).execute(),
  })
  assert.deepEqual(refused, { status: 403, body: '{"error":"Your login is currently disabled"}' })
  assert.equal(await countPosts(accountId), 0)
})

test('OA5 an admin who is demoted before the body arrives may not act, with a token or a session', async () => {
  for (const isSession of [false, true]) {
    const admin = await testServer.createUser({ role: 'admin' })
    const [caller] = await createSessionCallers(testServer, { name: 'the admin', user: admin })
    const token = await makeToken(testServer, { userId: admin.userId, scopes: ALL_SCOPES })
    const headers = isSession ? caller!.session!.headers : { authorization: `Bearer ${token}` }
    const body = JSON.stringify({ ip: '192.0.2.1', severity: 'no_access' })
    const refused = await sendHeldBack('/api/v1/admin/ip_blocks', {
      headers,
      body,
      meanwhile: () => db.updateTable('users').set({ role_id: '-99' }).where('id', '=', admin.userId).execute(),
    })
    assert.deepEqual(refused, { status: 403, body: '{"error":"This action is not allowed"}' })
  }
  assert.deepEqual(await db.selectFrom('ip_blocks').select('ip').execute(), [])
})

test('OA5 a form is refused if its session ends before the body arrives', async () => {
  const user = await testServer.createUser()
  const browser = await openBrowserSession(testServer, user)
  const { forms } = await browser.get('/settings/preferences')
  const csrf = forms.find(({ action }) => action === '/settings/preferences')!.values['csrf']!
  const refused = await sendHeldBack('/settings/preferences', {
    headers: { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') },
    body: new URLSearchParams({ csrf, time_zone: 'Europe/Vienna' }).toString(),
    meanwhile: () => db.deleteFrom('sessions').where('user_id', '=', user.userId).execute(),
  })
  assert.equal(refused.status, 303, refused.body)
  const stored = await db.selectFrom('users').select('time_zone').where('id', '=', user.userId).executeTakeFirst()
  assert.notEqual(stored?.time_zone, 'Europe/Vienna')
})

test('a body that arrives at once needs no second authorisation', async () => {
  const { client, accountId } = await testServer.createUser()
  const response = await client.post('/api/v1/statuses', { status: 'At once' })
  assert.equal(response.status, 200)
  assert.equal(await countPosts(accountId), 1)
})
