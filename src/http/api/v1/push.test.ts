import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../test/linnet.ts'
import { openPeer } from '../../../../test/peer.ts'
import { createProgram } from '../../../../test/push.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import { createClient } from '../../../../test/client.ts'
import { issuePersonalToken, revokeTokens } from '../../../domain/auth/tokens.ts'
import { shutOut } from '../../../domain/auth/shut-out.ts'
import { NOTIFICATION_TYPES } from '../../../entities/notification.ts'

const port = await findPort()
const peer = await openPeer({ hosts: ['push.test'] })
const world = await openWorld({ env: { ...peer.env, PORT: port, LOCAL_DOMAIN: `localhost:${port}` }, extraCa: peer.ca })
after(world.close)
after(peer.close)
const host = peer.host('push.test')
const path = '/api/v1/push/subscription'

const countRows = async () => (await world.ctx.db.selectFrom('push_subscriptions').select('id').execute()).length

test('a token has one subscription, which is seen, changed, replaced and removed', async () => {
  const { client } = await world.createPerson()
  const before = await countRows()
  assert.equal((await client.get(path)).status, 404)
  assert.equal((await client.put(path, { data: { policy: 'none' } })).status, 404)
  const program = createProgram(host)
  const data = { alerts: { mention: true, 'admin.sign_up': false, nonsense: true }, policy: 'followed' }
  const { status, body } = await client.post(path, program.subscription({ data }))
  assert.equal(status, 200)
  assertOnWire('WebPushSubscription', body)
  assert.deepEqual(body, {
    id: body.id,
    endpoint: program.endpoint,
    standard: true,
    alerts: { mention: true, 'admin.sign_up': false },
    server_key: world.ctx.secrets.vapidPublicKey,
    policy: 'followed',
  })
  assert.equal(typeof body.id, 'string')
  assert.deepEqual((await client.get(path)).body, body)

  const changed = await client.put(path, { data: { alerts: { follow: true } } })
  assert.deepEqual(changed.body, { ...body, alerts: { follow: true }, policy: 'all' })

  const other = createProgram(host)
  const replaced = (await client.post(path, { subscription: { endpoint: other.endpoint, keys: other.keys } })).body
  assert.notEqual(replaced.id, body.id)
  assert.deepEqual([replaced.endpoint, replaced.standard, replaced.alerts], [other.endpoint, false, {}])
  assert.equal(await countRows(), before + 1)

  for (let times = 0; times < 2; times += 1) {
    const removed = await client.delete(path)
    assert.deepEqual([removed.status, removed.body], [200, {}])
  }
  assert.equal((await client.get(path)).status, 404)
})

test('two requests at once leave one subscription', async () => {
  const { client } = await world.createPerson()
  const before = await countRows()
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => client.post(path, createProgram(host).subscription())),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(await countRows(), before + 1)
})

test('every type of notification can be wanted, also by a form', async () => {
  const { client } = await world.createPerson()
  const { endpoint, keys } = createProgram(host)
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

test('WP1 FE1 FE4 FE9 an endpoint that nothing may be sent to is refused, and what was there stays', async () => {
  const { client } = await world.createPerson()
  const program = createProgram(host)
  const kept = (await client.post(path, program.subscription())).body
  const refused = [
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
  for (const endpoint of refused) {
    const { status, body } = await client.post(path, { subscription: { endpoint, keys: program.keys } })
    assert.deepEqual([status, body.error], [422, 'Validation failed: Endpoint is not a public https address'], endpoint)
  }
  assert.deepEqual((await client.get(path)).body, kept)
})

test('WP1 keys that nothing can be encrypted with are refused, and a policy that there is not', async () => {
  const { client } = await world.createPerson()
  const { endpoint, keys } = createProgram(host)
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

test('WP1 VI11 nobody sees, changes or removes the subscription of another token, not even of the same person', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const { token } = await world.ctx.write((tx) =>
    issuePersonalToken(tx, { username: alice.username, scopes: ['push'] }),
  )
  const second = createClient(world.server, { token })
  const mine = (await alice.client.post(path, createProgram(host).subscription({ data: { alerts: { poll: true } } })))
    .body
  for (const client of [bob.client, second]) {
    assert.equal((await client.get(path, { id: mine.id })).status, 404)
    assert.equal((await client.put(path, { id: mine.id, data: { policy: 'none' } })).status, 404)
    assert.equal((await client.delete(path, { id: mine.id })).status, 200)
    assert.equal((await client.post(path, createProgram(host).subscription())).status, 200)
  }
  assert.deepEqual((await alice.client.get(path)).body, mine)
  const reader = await world.createPerson({ scopes: 'read write' })
  assert.equal((await reader.client.get(path)).status, 403)
})

test('OA5 a token that is revoked leaves no subscription behind, and no copy of the token is kept in clear', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const before = await countRows()
  for (const { client } of [alice, bob]) await client.post(path, createProgram(host).subscription())
  const rows = await world.ctx.db.selectFrom('push_subscriptions').selectAll().execute()
  assert.ok(rows.every((row) => !row.sealed_token.includes(alice.token)))
  const { id } = await world.ctx.db
    .selectFrom('access_tokens')
    .select('id')
    .where('user_id', '=', alice.userId)
    .executeTakeFirstOrThrow()
  await world.ctx.write((tx) => revokeTokens(tx, { ids: [id] }))
  assert.equal(await countRows(), before + 1)
  await world.ctx.write((tx) => shutOut(tx, { userId: bob.userId }))
  assert.equal(await countRows(), before)
})

test('the key that programs need is the same everywhere', async () => {
  const { client } = await world.createPerson()
  const { body } = await client.post(path, createProgram(host).subscription())
  const instance = (await client.get('/api/v2/instance')).body
  assert.equal(body.server_key, instance.configuration.vapid.public_key)
  assert.equal(Buffer.from(body.server_key, 'base64url').length, 65)
})

test('masto.js subscribes, looks, changes its wishes and ends it', async () => {
  await world.listen()
  const { token } = await world.createPerson()
  const { subscription } = createRestAPIClient({ url: `http://localhost:${port}`, accessToken: token }).v1.push
  const { endpoint, keys } = createProgram(host)
  const made = await subscription.create({
    subscription: { endpoint, keys },
    data: { alerts: { mention: true } },
    policy: 'follower',
  })
  assert.deepEqual(
    [made.endpoint, made.alerts.mention, made.policy, made.serverKey],
    [endpoint, true, 'follower', world.ctx.secrets.vapidPublicKey],
  )
  const changed = await subscription.update({ data: { alerts: { follow: true } } })
  assert.deepEqual({ ...changed.alerts }, { follow: true })
  assert.equal((await subscription.fetch()).id, made.id)
  await subscription.remove()
  await assert.rejects(subscription.fetch(), { statusCode: 404 })
})
