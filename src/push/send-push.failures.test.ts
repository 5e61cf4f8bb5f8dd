// Slow: simulates many failing push services.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { eventually } from '../../test/servers/linnet-process.ts'
import {
  respondWith,
  tooManyRequests,
  gone,
  neverRespond,
  redirectTo,
  resetConnection,
} from '../../test/federation/peer/behaviour.ts'
import type { Behaviour } from '../../test/federation/peer/behaviour.ts'
import { disable, suspend } from '../../test/features/moderation.ts'
import { ALL_ALERTS, openPushServer, SUBSCRIPTION as path } from '../../test/services/push-server.ts'
import type { TestUser } from '../../test/servers/test-server.ts'
import { revokeLogins } from '../domain/auth/revoke-logins.ts'
import { clearNotifications } from '../domain/notifications/read/clear-notifications.ts'
import { prunePushes } from '../domain/push/plan-pushes.ts'

const HOUR_MS = 3_600_000

const pushing = await openPushServer()
after(pushing.close)
const { testServer, host, subscribe, advanceClock, advanceHours, countWaiting } = pushing
const { ctx } = testServer

const post = async (user: TestUser, body: object): Promise<string> =>
  (await user.client.post('/api/v1/statuses', body)).body.id as string

beforeEach(pushing.reset)

test('permanent errors of a push service delete the subscription, and others are retried', async () => {
  const outcomes: [Behaviour, 'deleted' | 'kept'][] = [
    [respondWith(404), 'deleted'],
    [gone, 'deleted'],
    [respondWith(400), 'deleted'],
    [respondWith(403), 'deleted'],
    [respondWith(413), 'deleted'],
    [respondWith(408), 'kept'],
    [tooManyRequests(60), 'kept'],
    [respondWith(500), 'kept'],
    [respondWith(503), 'kept'],
    [redirectTo('https://other.test/push/elsewhere', 307), 'kept'],
    [resetConnection, 'kept'],
  ]
  for (const [behaviour, expected] of outcomes) {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const program = await subscribe(alice)
    host.behave(program.path, behaviour, { times: 1 })
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    await testServer.waitForJobs()
    assert.equal(program.requests().length, 1)
    assert.equal((await alice.client.get(path)).status, expected === 'deleted' ? 404 : 200)
    await advanceClock(2 * 60_000)
    assert.equal(program.requests().length, expected === 'deleted' ? 1 : 2)
    assert.equal(await countWaiting(), 0)
  }
  assert.equal(pushing.peer.host('other.test').requests.length, 0)
})

test('FE15 a failing endpoint has backoff, gets one push at a time, and no push more than five times', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const program = await subscribe(alice)
  host.behave(program.path, respondWith(500))
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await testServer.waitForJobs()
  for (let n = 0; n < 3; n += 1) await post(bob, { status: `@${alice.username} ${n}` })
  await testServer.waitForJobs()
  assert.equal(program.requests().length, 1)
  const requestsPerHour: number[] = []
  let before = program.requests().length
  const hours = await advanceHours(() => {
    requestsPerHour.push(program.requests().length - before)
    before = program.requests().length
  })
  assert.ok(
    requestsPerHour.every((count) => count <= 1),
    requestsPerHour.join(' '),
  )
  assert.ok(program.requests().length <= 4 * 5)
  const ids = program.messages().map((message) => message.notification_id)
  for (const id of ids) assert.ok(ids.filter((other) => other === id).length <= 5)
  assert.ok(ids.length > 5)
  assert.ok(hours <= 49)
})

test('an endpoint that works again gets the remaining pushes, each once', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const program = await subscribe(alice)
  host.behave(program.path, respondWith(503, { headers: { 'retry-after': '600' } }), { times: 1 })
  for (let n = 0; n < 3; n += 1) {
    await post(bob, { status: `@${alice.username} ${n}` })
    await testServer.waitForJobs()
  }
  await advanceClock(5 * 60_000)
  assert.equal(program.requests().length, 1)
  for (let minutes = 0; (await countWaiting()) > 0; minutes += 6) {
    assert.ok(minutes < 60)
    await advanceClock(6 * 60_000)
  }
  const bodies = program.messages().map(({ body }) => body.slice(-1))
  assert.deepEqual(bodies.toSorted(), ['0', '0', '1', '2'])
  const row = await ctx.db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('endpoint', '=', program.endpoint)
    .executeTakeFirstOrThrow()
  assert.deepEqual([row.failures, row.retry_at], [0, null])
})

test('a push service that never responds does not delay others', async () => {
  const [alice, carol, bob] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const at = pushing.peer.host('dead.test')
  const [dead, well] = [await subscribe(alice, { at }), await subscribe(carol)]
  at.behave(dead.path, neverRespond)
  for (let n = 0; n < 3; n += 1) {
    await post(bob, { status: `@${alice.username} @${carol.username} ${n}` })
  }
  await eventually(async () => assert.ok(well.requests().length >= 3))
  await testServer.waitForJobs()
  assert.equal((await alice.client.get(path)).status, 200)
  await alice.client.delete(path)
  await advanceHours()
})

test('VI16 a waiting push is not sent if the user may not see the notification any more', async () => {
  const hide: ((users: { alice: TestUser; bob: TestUser; statusId: string }) => Promise<unknown>)[] = [
    ({ bob, statusId }) => bob.client.delete(`/api/v1/statuses/${statusId}`),
    ({ alice, bob }) => alice.client.post(`/api/v1/accounts/${bob.accountId}/block`),
    ({ alice, bob }) => bob.client.post(`/api/v1/accounts/${alice.accountId}/block`),
    ({ bob }) => suspend(ctx, bob),
    ({ alice }) => clearNotifications(ctx, { accountId: alice.accountId }),
    ({ alice }) => alice.client.put(path, { data: { alerts: { mention: false } } }),
    ({ alice }) => alice.client.put(path, { data: { alerts: ALL_ALERTS, policy: 'followed' } }),
    ({ alice, bob }) => alice.client.post(`/api/v1/accounts/${bob.accountId}/mute`),
  ]
  for (const [n, hidden] of hide.entries()) {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const program = await subscribe(alice)
    host.behave(program.path, respondWith(500), { times: 1 })
    const statusId = await post(bob, { status: `@${alice.username} psst` })
    await testServer.waitForJobs()
    assert.equal(program.requests().length, 1)
    await hidden({ alice, bob, statusId })
    await advanceHours()
    assert.equal(program.requests().length, 1, `${n}`)
  }
})

test('OA5 nothing is pushed for revoked tokens, nor for users who are suspended or disabled', async () => {
  const revocations: ((alice: TestUser) => Promise<unknown>)[] = [
    (alice) => ctx.write((tx) => revokeLogins(tx, { userId: alice.userId })),
    (alice) => suspend(ctx, alice),
    (alice) => disable(ctx, alice),
    (alice) => ctx.db.deleteFrom('access_tokens').where('user_id', '=', alice.userId).execute(),
  ]
  for (const revoke of revocations) {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const program = await subscribe(alice)
    host.behave(program.path, respondWith(500), { times: 1 })
    await post(bob, { status: `@${alice.username} before` })
    await testServer.waitForJobs()
    await revoke(alice)
    await post(bob, { status: `@${alice.username} after` })
    await testServer.waitForJobs()
    await advanceHours()
    assert.equal(program.requests().length, 1)
  }
})

test('WP1 FE2 FE4 an endpoint with a private address gets no request, and its subscription is deleted', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await subscribe(alice)
  // As if its host name had resolved to another address when the subscription was created.
  await ctx.db.updateTable('push_subscriptions').set({ endpoint: 'https://[::1]/push' }).execute()
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await testServer.waitForJobs()
  assert.equal((await alice.client.get(path)).status, 404)
})

test('F24 pushes older than two days are not sent, and are pruned later', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const program = await subscribe(alice)
  host.behave(program.path, respondWith(500), { times: 1 })
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await testServer.waitForJobs()
  await advanceClock(49 * HOUR_MS)
  assert.deepEqual([program.requests().length, await countWaiting()], [1, 0])
  const count = async () => (await ctx.db.selectFrom('push_deliveries').select('attempts').execute()).length
  await prunePushes(ctx)
  assert.ok((await count()) > 0)
  await advanceClock(1_000 * HOUR_MS)
  await prunePushes(ctx)
  assert.equal(await count(), 0)
})
