// Slow: sends many requests to hostile sites.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { eventually } from '../../test/linnet.ts'
import { answer, busy, gone, hang, redirectTo, reset } from '../../test/peer/behaviour.ts'
import type { Behaviour } from '../../test/peer/behaviour.ts'
import { EVERYTHING, openPushing, SUBSCRIPTION as path } from '../../test/pushing.ts'
import type { Person } from '../../test/world.ts'
import { shutOut } from '../domain/auth/shut-out.ts'
import { clearNotifications } from '../domain/notifications/clear.ts'
import { prunePushes } from '../domain/push/plan.ts'

const HOUR_MS = 3_600_000

const pushing = await openPushing()
after(pushing.close)
const { world, host, subscribe, now, pass, passAll, countWaiting } = pushing
const { ctx } = world

const post = async (person: Person, body: object): Promise<string> =>
  (await person.client.post('/api/v1/statuses', body)).body.id as string

beforeEach(pushing.startOver)

test('what the push service refuses for good ends the subscription, and what it does not is tried again', async () => {
  const outcomes: [Behaviour, 'ended' | 'kept'][] = [
    [answer(404), 'ended'],
    [gone, 'ended'],
    [answer(400), 'ended'],
    [answer(403), 'ended'],
    [answer(413), 'ended'],
    [answer(408), 'kept'],
    [busy(60), 'kept'],
    [answer(500), 'kept'],
    [answer(503), 'kept'],
    [redirectTo('https://other.test/push/elsewhere', 307), 'kept'],
    [reset, 'kept'],
  ]
  for (const [behaviour, fate] of outcomes) {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const program = await subscribe(alice)
    host.behave(program.path, behaviour, { times: 1 })
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    await world.settle()
    assert.equal(program.requests().length, 1)
    assert.equal((await alice.client.get(path)).status, fate === 'ended' ? 404 : 200)
    await pass(2 * 60_000)
    assert.equal(program.requests().length, fate === 'ended' ? 1 : 2)
    assert.equal(await countWaiting(), 0)
  }
  assert.equal(pushing.peer.host('other.test').requests.length, 0)
})

test('FE15 a place that fails rests for longer and longer, is tried with one push at a time, and no push more than five times', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const program = await subscribe(alice)
  host.behave(program.path, answer(500))
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await world.settle()
  for (let n = 0; n < 3; n += 1) await post(bob, { status: `@${alice.username} ${n}` })
  await world.settle()
  assert.equal(program.requests().length, 1)
  const rests: number[] = []
  let before = program.requests().length
  const hours = await passAll(() => {
    rests.push(program.requests().length - before)
    before = program.requests().length
  })
  assert.ok(
    rests.every((count) => count <= 1),
    rests.join(' '),
  )
  assert.ok(program.requests().length <= 4 * 5)
  const ids = program.messages().map((message) => message.notification_id)
  for (const id of ids) assert.ok(ids.filter((other) => other === id).length <= 5)
  assert.ok(ids.length > 5)
  assert.ok(hours <= 49)
})

test('a place that works again gets the rest, each once', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const program = await subscribe(alice)
  host.behave(program.path, answer(503, { headers: { 'retry-after': '600' } }), { times: 1 })
  for (let n = 0; n < 3; n += 1) {
    await post(bob, { status: `@${alice.username} ${n}` })
    await world.settle()
  }
  await pass(5 * 60_000)
  assert.equal(program.requests().length, 1)
  for (let minutes = 0; (await countWaiting()) > 0; minutes += 6) {
    assert.ok(minutes < 60)
    await pass(6 * 60_000)
  }
  const bodies = program.messages().map(({ body }) => body.slice(-1))
  assert.deepEqual(bodies.toSorted(), ['0', '0', '1', '2'])
  const row = await ctx.db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('endpoint', '=', program.endpoint)
    .executeTakeFirstOrThrow()
  assert.deepEqual([row.failures, row.rests_until], [0, null])
})

test('a push service that never answers keeps nobody else waiting', async () => {
  const [alice, carol, bob] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const at = pushing.peer.host('dead.test')
  const [dead, well] = [await subscribe(alice, { at }), await subscribe(carol)]
  at.behave(dead.path, hang)
  for (let n = 0; n < 3; n += 1) {
    await post(bob, { status: `@${alice.username} @${carol.username} ${n}` })
  }
  await eventually(async () => assert.ok(well.requests().length >= 3))
  await world.settle()
  assert.equal((await alice.client.get(path)).status, 200)
  await alice.client.delete(path)
  await passAll()
})

test('VI16 what somebody may not see any more is not pushed, though it waits to be', async () => {
  const hide: ((people: { alice: Person; bob: Person; statusId: string }) => Promise<unknown>)[] = [
    ({ bob, statusId }) => bob.client.delete(`/api/v1/statuses/${statusId}`),
    ({ alice, bob }) => alice.client.post(`/api/v1/accounts/${bob.accountId}/block`),
    ({ alice, bob }) => bob.client.post(`/api/v1/accounts/${alice.accountId}/block`),
    ({ bob }) => ctx.db.updateTable('accounts').set({ suspended_at: now() }).where('id', '=', bob.accountId).execute(),
    ({ alice }) => ctx.write((tx) => clearNotifications(tx, { accountId: alice.accountId })),
    ({ alice }) => alice.client.put(path, { data: { alerts: { mention: false } } }),
    ({ alice }) => alice.client.put(path, { data: { alerts: EVERYTHING, policy: 'followed' } }),
    ({ alice, bob }) => alice.client.post(`/api/v1/accounts/${bob.accountId}/mute`),
  ]
  for (const [n, hidden] of hide.entries()) {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const program = await subscribe(alice)
    host.behave(program.path, answer(500), { times: 1 })
    const statusId = await post(bob, { status: `@${alice.username} psst` })
    await world.settle()
    assert.equal(program.requests().length, 1)
    await hidden({ alice, bob, statusId })
    await passAll()
    assert.equal(program.requests().length, 1, `${n}`)
  }
})

test('OA5 nothing is pushed for a token that was revoked, nor for people who are suspended or disabled', async () => {
  const ends: ((alice: Person) => Promise<unknown>)[] = [
    (alice) => ctx.write((tx) => shutOut(tx, { userId: alice.userId })),
    (alice) => ctx.db.updateTable('accounts').set({ suspended_at: now() }).where('id', '=', alice.accountId).execute(),
    (alice) => ctx.db.updateTable('users').set({ disabled_at: now() }).where('id', '=', alice.userId).execute(),
    (alice) => ctx.db.deleteFrom('access_tokens').where('user_id', '=', alice.userId).execute(),
  ]
  for (const end of ends) {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const program = await subscribe(alice)
    host.behave(program.path, answer(500), { times: 1 })
    await post(bob, { status: `@${alice.username} before` })
    await world.settle()
    await end(alice)
    await post(bob, { status: `@${alice.username} after` })
    await world.settle()
    await passAll()
    assert.equal(program.requests().length, 1)
  }
})

test('WP1 FE2 FE4 an endpoint that leads to a private address gets nothing, and is forgotten', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await subscribe(alice)
  // As if its name had led to somewhere else when it was subscribed.
  await ctx.db.updateTable('push_subscriptions').set({ endpoint: 'https://[::1]/push' }).execute()
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await world.settle()
  assert.equal((await alice.client.get(path)).status, 404)
})

test('F24 what is older than two days is not pushed, and forgotten by and by', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const program = await subscribe(alice)
  host.behave(program.path, answer(500), { times: 1 })
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await world.settle()
  await pass(49 * HOUR_MS)
  assert.deepEqual([program.requests().length, await countWaiting()], [1, 0])
  const count = async () => (await ctx.db.selectFrom('pushes').select('tries').execute()).length
  await prunePushes(ctx)
  assert.ok((await count()) > 0)
  await pass(1_000 * HOUR_MS)
  await prunePushes(ctx)
  assert.equal(await count(), 0)
})
