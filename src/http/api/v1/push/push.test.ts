import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { openPeer } from '../../../../../test/federation/peer/open-peer.ts'
import { createPushClient } from '../../../../../test/services/push-client.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import { createClient } from '../../../../../test/http/client.ts'
import { issueTokenForUser, revokeTokens } from '../../../../domain/auth/access-tokens.ts'
import { revokeLogins } from '../../../../domain/auth/revoke-logins.ts'
import { NOTIFICATION_TYPES } from '../../../../entities/notifications/notification.ts'

const port = await findPort()
const peer = await openPeer({ hosts: ['push.test'] })
const testServer = await openTestServer({
  env: { ...peer.env, PORT: port, LOCAL_DOMAIN: `localhost:${port}` },
  extraCa: peer.ca,
})
after(testServer.close)
after(peer.close)
const host = peer.host('push.test')
const path = '/api/v1/push/subscription'

const countRows = async () => (await testServer.ctx.db.selectFrom('push_subscriptions').select('id').execute()).length

test('a token has one subscription, which can be viewed, changed, replaced and removed', async () => {
  const { client } = await testServer.createUser()
  const before = await countRows()
  assert.equal((await client.get(path)).status, 404)
  assert.equal((await client.put(path, { data: { policy: 'none' } })).status, 404)
  const pushClient = createPushClient(host)
  const data = { alerts: { mention: true, 'admin.sign_up': false, nonsense: true }, policy: 'followed' }
  const { status, body } = await client.post(path, pushClient.subscription({ data }))
  assert.equal(status, 200)
  assertEntity('WebPushSubscription', body)
  assert.deepEqual(body, {
    id: body.id,
    endpoint: pushClient.endpoint,
    standard: true,
    alerts: { mention: true, 'admin.sign_up': false },
    server_key: testServer.ctx.secrets.vapidPublicKey,
    policy: 'followed',
  })
  assert.equal(typeof body.id, 'string')
  assert.deepEqual((await client.get(path)).body, body)

  const changed = await client.put(path, { data: { alerts: { follow: true } } })
  assert.deepEqual(changed.body, { ...body, alerts: { follow: true }, policy: 'all' })

  const otherClient = createPushClient(host)
  const replaced = (
    await client.post(path, { subscription: { endpoint: otherClient.endpoint, keys: otherClient.keys } })
  ).body
  assert.notEqual(replaced.id, body.id)
  assert.deepEqual([replaced.endpoint, replaced.standard, replaced.alerts], [otherClient.endpoint, false, {}])
  assert.equal(await countRows(), before + 1)

  for (let times = 0; times < 2; times += 1) {
    const removed = await client.delete(path)
    assert.deepEqual([removed.status, removed.body], [200, {}])
  }
  assert.equal((await client.get(path)).status, 404)
})

test('five concurrent requests create one subscription', async () => {
  const { client } = await testServer.createUser()
  const before = await countRows()
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => client.post(path, createPushClient(host).subscription())),
  )
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  assert.equal(await countRows(), before + 1)
})

test('every notification type can be subscribed to, also by a form', async () => {
  const { client } = await testServer.createUser()
  const { endpoint, keys } = createPushClient(host)
  const form = new URLSearchParams({
    'subscription[endpoint]': endpoint,
    'subscription[keys][p256dh]': keys.p256dh,
    'subscription[keys][auth]': keys.auth,
    'subscription[standard]': 'true',
    'data[policy]': 'follower',
  })
  for (const type of NOTIFICATION_TYPES) form.set(`data[alerts][${type}]`, type === 'poll' ? '0' : '1')
  const { body } = await client.post(path, String(form), { 'content-type': 'application/x-www-form-urlencoded' })
  assert.deepEqual(body.alerts, Object.fromEntries(NOTIFICATION_TYPES.map((type) => [type, type !== 'poll'])))
  assert.deepEqual([body.standard, body.policy], [true, 'follower'])
})

test('WP1 FE1 FE4 FE9 a forbidden endpoint is rejected, and the subscription stays unchanged', async () => {
  const { client } = await testServer.createUser()
  const pushClient = createPushClient(host)
  const before = (await client.post(path, pushClient.subscription())).body
  const rejected = [
    'http://push.test/x',
    'https://10.0.0.1/x',
    'https://192.168.1.1/x',
    'https://169.254.169.254/latest',
    'https://0xa9fea9fe/',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fe80::1]/x',
    'https://0.0.0.0/x',
    'https://localhost/x',
    'https://localhost./x',
    'https://intranet/x',
    'https://me:secret@push.test/x',
    'https://push.test:22/x',
    'https://push.test\\@10.0.0.1/x',
    'https://push.test/a b',
    'https://hidden.onion/x',
    'javascript:alert(1)',
    'ftp://push.test/x',
    'push.test/x',
    `https://push.test/${'x'.repeat(5000)}`,
  ]
  for (const endpoint of rejected) {
    const { status, body } = await client.post(path, { subscription: { endpoint, keys: pushClient.keys } })
    assert.deepEqual([status, body.error], [422, 'Validation failed: Endpoint is not a public https address'], endpoint)
  }
  assert.deepEqual((await client.get(path)).body, before)
})

test('WP1 invalid keys and an unknown policy are rejected', async () => {
  const { client } = await testServer.createUser()
  const { endpoint, keys } = createPushClient(host)
  const post = async (subscription: object, data = {}) => (await client.post(path, { subscription, data })).status
  for (const p256dh of ['AAAA', 'not base64!', keys.p256dh.slice(0, -4), Buffer.alloc(65, 4).toString('base64url')])
    assert.equal(await post({ endpoint, keys: { ...keys, p256dh } }), 422)
  for (const auth of ['AAAA', '%%%', 'A'.repeat(190), 'A'.repeat(100_000)])
    assert.equal(await post({ endpoint, keys: { ...keys, auth } }), 422)
  assert.equal(await post({ endpoint, keys }, { policy: 'some' }), 422)
  assert.equal(await post({ endpoint, keys: { p256dh: keys.p256dh } }), 400)
  assert.equal(await post({ keys }), 400)
  assert.equal((await client.get(path)).status, 404)
  const padded = (text: string) => Buffer.from(text, 'base64url').toString('base64')
  assert.equal(await post({ endpoint, keys: { p256dh: padded(keys.p256dh), auth: padded(keys.auth) } }), 200)
})

test('WP1 VI11 a token cannot reach the subscription of another token, even of the same user', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const { token } = await testServer.ctx.write((tx) =>
    issueTokenForUser(tx, { username: alice.username, scopes: ['push'] }),
  )
  const second = createClient(testServer.server, { token })
  const own = (await alice.client.post(path, createPushClient(host).subscription({ data: { alerts: { poll: true } } })))
    .body
  for (const client of [bob.client, second]) {
    assert.equal((await client.get(path, { id: own.id })).status, 404)
    assert.equal((await client.put(path, { id: own.id, data: { policy: 'none' } })).status, 404)
    assert.equal((await client.delete(path, { id: own.id })).status, 200)
    assert.equal((await client.post(path, createPushClient(host).subscription())).status, 200)
  }
  assert.deepEqual((await alice.client.get(path)).body, own)
  const reader = await testServer.createUser({ scopes: 'read write' })
  assert.equal((await reader.client.get(path)).status, 403)
})

test('OA5 revoking a token deletes its subscription; the token is not stored in plain text', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const before = await countRows()
  for (const { client } of [alice, bob]) await client.post(path, createPushClient(host).subscription())
  const rows = await testServer.ctx.db.selectFrom('push_subscriptions').selectAll().execute()
  assert.ok(rows.every((row) => !row.encrypted_token.includes(alice.token)))
  const { id } = await testServer.ctx.db
    .selectFrom('access_tokens')
    .select('id')
    .where('user_id', '=', alice.userId)
    .executeTakeFirstOrThrow()
  await testServer.ctx.write((tx) => revokeTokens(tx, { ids: [id] }))
  assert.equal(await countRows(), before + 1)
  await testServer.ctx.write((tx) => revokeLogins(tx, { userId: bob.userId }))
  assert.equal(await countRows(), before)
})

test('the subscription has the same VAPID key as the instance', async () => {
  const { client } = await testServer.createUser()
  const { body } = await client.post(path, createPushClient(host).subscription())
  const instance = (await client.get('/api/v2/instance')).body
  assert.equal(body.server_key, instance.configuration.vapid.public_key)
  assert.equal(Buffer.from(body.server_key, 'base64url').length, 65)
})

test('masto.js creates, reads, changes and removes a subscription', async () => {
  await testServer.listen()
  const { token } = await testServer.createUser()
  const { subscription } = createRestAPIClient({ url: `http://localhost:${port}`, accessToken: token }).v1.push
  const { endpoint, keys } = createPushClient(host)
  const created = await subscription.create({
    subscription: { endpoint, keys },
    data: { alerts: { mention: true } },
    policy: 'follower',
  })
  assert.deepEqual(
    [created.endpoint, created.alerts.mention, created.policy, created.serverKey],
    [endpoint, true, 'follower', testServer.ctx.secrets.vapidPublicKey],
  )
  const changed = await subscription.update({ data: { alerts: { follow: true } } })
  assert.deepEqual({ ...changed.alerts }, { follow: true })
  assert.equal((await subscription.fetch()).id, created.id)
  await subscription.remove()
  await assert.rejects(subscription.fetch(), { statusCode: 404 })
})
