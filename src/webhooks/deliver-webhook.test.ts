// Slow: waits for a server that never responds.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  largeBody,
  neverRespond,
  redirectTo,
  resetConnection,
  respondWith,
  tooManyRequests,
} from '../../test/federation/peer/behaviour.ts'
import type { Behaviour } from '../../test/federation/peer/behaviour.ts'
import { eventually } from '../../test/servers/linnet-process.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { openWebhookServer } from '../../test/services/webhook-server.ts'
import type { AdminWebhookDelivery } from '../entities/admin/operations/admin-webhook.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const webhooks = await openWebhookServer()
after(webhooks.close)
const { testServer, host, otherHost, staff, create, received, deliveriesOf, advanceClock } = webhooks
const { ctx } = testServer

async function act(path: string): Promise<AdminWebhookDelivery> {
  const { status, body } = await staff.client.post<AdminWebhookDelivery>(`/api/v1/admin/webhooks/${path}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Sends a test event to a new webhook whose host has a behaviour once, and returns the delivery. */
async function deliverTo(path: string, behaviour: Behaviour) {
  const { id, secret } = await create(path, ['status.created'])
  host.behave(path, behaviour, { times: 1 })
  await act(`${id}/test`)
  await testServer.waitForJobs()
  const [delivery] = await deliveriesOf(id)
  return { id, secret, delivery: delivery! }
}

test('a delivery that the server accepts is delivered', async () => {
  const { secret, delivery } = await deliverTo('/accepts', respondWith(204))
  const { state, attempts, last_status, last_error, next_attempt_at } = delivery
  assert.deepEqual([state, attempts, last_status, last_error, next_attempt_at], ['delivered', 1, 204, null, null])
  assert.deepEqual(received('/accepts', secret), [
    { id: delivery.id, event: 'test', created_at: delivery.created_at, object: {} },
  ])
})

test('FE15 final errors are not retried, and other failures are; redirects are not followed', async () => {
  const outcomes: [string, Behaviour, AdminWebhookDelivery['state'], number | null][] = [
    ['/400', respondWith(400), 'rejected', 400],
    ['/410', respondWith(410), 'rejected', 410],
    ['/501', respondWith(501), 'rejected', 501],
    ['/401', respondWith(401), 'pending', 401],
    ['/408', respondWith(408), 'pending', 408],
    ['/429', tooManyRequests(60), 'pending', 429],
    ['/500', respondWith(500), 'pending', 500],
    ['/redirect', redirectTo('https://other.test/', 307), 'pending', 307],
    ['/reset', resetConnection, 'pending', null],
  ]
  for (const [path, behaviour, state, status] of outcomes) {
    const { id, secret, delivery } = await deliverTo(path, behaviour)
    assert.deepEqual([delivery.state, delivery.last_status, delivery.attempts], [state, status, 1], path)
    assert.equal(delivery.last_error === null, status !== null, path)
    assert.equal(delivery.next_attempt_at !== null, state === 'pending', path)
    await advanceClock(2 * 60_000)
    const [later] = await deliveriesOf(id)
    assert.deepEqual(
      [later!.state, later!.last_status],
      state === 'pending' ? ['delivered', 202] : [state, status],
      path,
    )
    const events = received(path, secret)
    assert.equal(events.length, state === 'pending' ? 2 : 1)
    assert.ok(events.every((event) => event.id === delivery.id && event.created_at === delivery.created_at))
  }
  assert.equal(otherHost.requests.length, 0)
})

test('a huge response and a server that never responds do not delay other deliveries', async () => {
  const { delivery } = await deliverTo('/huge', largeBody(100 * 1024 * 1024))
  assert.deepEqual([delivery.state, delivery.last_status], ['delivered', 200])
  otherHost.behave('/slow', neverRespond)
  const slow = await staff.client.post('/api/v1/admin/webhooks', {
    url: 'https://other.test/slow',
    events: ['status.created'],
  })
  await act(`${slow.body.id}/test`)
  const fast = await create('/fast', ['status.created'])
  await act(`${fast.id}/test`)
  await eventually(async () => assert.equal((await deliveriesOf(fast.id))[0]!.state, 'delivered'))
  assert.equal((await deliveriesOf(slow.body.id))[0]!.attempts, 0)
  await testServer.waitForJobs()
  const [failed] = await deliveriesOf(slow.body.id)
  assert.deepEqual([failed!.state, failed!.last_status, failed!.attempts], ['pending', null, 1])
  await staff.client.delete(`/api/v1/admin/webhooks/${slow.body.id}`)
})

test('a delivery is abandoned after 12 attempts in less than two days, and redelivered on request', async () => {
  const { id, secret } = await create('/fails', ['status.created'])
  host.behave('/fails', respondWith(503), { times: 12 })
  await act(`${id}/test`)
  await testServer.waitForJobs()
  let hours = 0
  for (; (await deliveriesOf(id))[0]!.state === 'pending'; hours += 6) {
    assert.ok(hours < 96)
    await advanceClock(6 * HOUR_MS)
  }
  const [abandoned] = await deliveriesOf(id)
  assert.deepEqual([abandoned!.state, abandoned!.attempts, abandoned!.next_attempt_at], ['abandoned', 12, null])
  assert.equal(received('/fails', secret).length, 12)
  const restarted = await act(`${id}/deliveries/${abandoned!.id}/redeliver`)
  assert.equal(restarted.state, 'pending')
  await testServer.waitForJobs()
  const [delivered] = await deliveriesOf(id)
  assert.deepEqual([delivered!.state, delivered!.attempts], ['delivered', 13])
  await act(`${id}/deliveries/${abandoned!.id}/redeliver`)
  await testServer.waitForJobs()
  const events = received('/fails', secret)
  assert.equal(events.length, 14)
  assert.equal(new Set(events.map((event) => event.id)).size, 1)
})

test('a retry is signed with the new secret after a rotation', async () => {
  const { id } = await deliverTo('/rotated', respondWith(500))
  const { body } = await staff.client.post(`/api/v1/admin/webhooks/${id}/rotate_secret`)
  await advanceClock(2 * 60_000)
  assert.throws(() => received('/rotated', body.secret))
  assert.equal((await deliveriesOf(id))[0]!.state, 'delivered')
  const retries = host.requests.filter(({ path }) => path === '/rotated')
  assert.equal(retries.length, 2)
})

test('pending deliveries of a disabled webhook are abandoned', async () => {
  const { id, delivery } = await deliverTo('/paused', respondWith(500))
  await staff.client.post(`/api/v1/admin/webhooks/${id}/disable`)
  await advanceClock(2 * 60_000)
  const [abandoned] = await deliveriesOf(id)
  assert.deepEqual([abandoned!.state, abandoned!.last_error], ['abandoned', 'The webhook is disabled'])
  for (const path of ['test', `deliveries/${delivery.id}/redeliver`]) {
    const { status, body } = await staff.client.post(`/api/v1/admin/webhooks/${id}/${path}`)
    assert.deepEqual([status, body.error], [422, 'This webhook is disabled'])
  }
  assert.equal(host.countRequests('/paused'), 1)
})

test('FE1 AD3 a delivery to a name with a private address is rejected without a request', async () => {
  const strict = await openTestServer()
  try {
    const owner = await strict.createUser({ role: 'owner', scopes: 'admin:read admin:write' })
    const payload = { url: 'https://hooks.example/', events: ['status.created'] }
    const { body } = await owner.client.post('/api/v1/admin/webhooks', payload)
    for (const url of ['https://localhost/', 'https://127.0.0.1/', 'https://[::1]/']) {
      // As if the name had resolved to another address when the webhook was created; `localhost` is resolved now.
      await strict.ctx.db.updateTable('webhooks').set({ url }).execute()
      await owner.client.post(`/api/v1/admin/webhooks/${body.id}/test`)
      await strict.waitForJobs()
      const { body: deliveries } = await owner.client.get(`/api/v1/admin/webhooks/${body.id}/deliveries`)
      const { state, last_error } = deliveries[0]
      assert.deepEqual([state, /not a public address/.test(last_error)], ['rejected', true], last_error)
    }
  } finally {
    await strict.close()
  }
})

test('finished deliveries are deleted: delivered ones after three days, others after a week', async () => {
  const [delivered, rejected] = [
    await deliverTo('/prune-delivered', respondWith(200)),
    await deliverTo('/prune-rejected', respondWith(400)),
  ]
  const prune = async () => {
    await ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await testServer.waitForJobs()
    return [(await deliveriesOf(delivered.id)).length, (await deliveriesOf(rejected.id)).length]
  }
  assert.deepEqual(await prune(), [1, 1])
  await advanceClock(3 * DAY_MS + HOUR_MS)
  assert.deepEqual(await prune(), [0, 1])
  await advanceClock(4 * DAY_MS)
  assert.deepEqual(await prune(), [0, 0])
})
