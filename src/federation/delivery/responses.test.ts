import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { blockDomainAsStaff, unblockDomainAsStaff } from '../../../test/features/moderation.ts'
import { openDeliveryServer } from '../../../test/federation/delivery-server.ts'
import {
  respondWith,
  tooManyRequests,
  gone,
  redirectTo,
  resetConnection,
} from '../../../test/federation/peer/behaviour.ts'
import type { Behaviour } from '../../../test/federation/peer/behaviour.ts'

const DAY_MS = 86_400_000

const delivering = await openDeliveryServer()
const { ctx, one, now, write, deliver, deliverWhenDue, behave, requests, acceptedActivities } = delivering
const { readDeliveries, readHost, readDeliveryJob, countWaiting, reset } = delivering
beforeEach(reset)
after(delivering.close)

/** Applies a behaviour to requests that contain a URI; other requests are handled normally. */
function onlyFor(uri: string, behaviour: Behaviour): Behaviour {
  return async (exchange) => {
    const isMatch = String(exchange.request.body).includes(JSON.stringify(uri))
    await (isMatch ? behaviour(exchange) : exchange.respond())
  }
}

test('FE15 a permanently rejected delivery is not retried', async () => {
  const rejections: [Behaviour, number][] = [
    [gone, 410],
    [respondWith(404), 404],
    [respondWith(403), 403],
  ]
  for (const [behaviour, status] of rejections) {
    await reset()
    behave(behaviour)
    await write()
    await deliver()
    const [row] = await readDeliveries()
    assert.deepEqual([row!.state, row!.attempts, row!.last_status], ['rejected', 1, status])
    assert.equal(await readDeliveryJob(), null)
  }
})

test('a delivery is retried after a server error, at first after seconds', async () => {
  behave(respondWith(500), { times: 2 })
  await write()
  await deliver()
  const [row] = await readDeliveries()
  assert.deepEqual([row!.state, row!.attempts, row!.last_status], ['pending', 1, 500])
  const first = (await readDeliveryJob())!
  assert.ok(first > 15_000 && first < 19_000, `${first}`)
  await deliver()
  assert.equal(requests(), 1)
  await deliverWhenDue()
  const second = (await readDeliveryJob())!
  assert.ok(second > 30_000 && second < 41_000, `${second}`)
  await deliverWhenDue()
  const [done] = await readDeliveries()
  assert.deepEqual([done!.state, done!.attempts, await readDeliveryJob()], ['delivered', 3, null])
})

test('an activity that causes server errors does not delay others', async () => {
  const [poison, ...others] = await write(4)
  behave(onlyFor(poison!, respondWith(500)))
  await deliver()
  assert.deepEqual(new Set(acceptedActivities()), new Set(others))
  assert.equal(await countWaiting(), 1)
})

test('FE15 Retry-After is obeyed for a day at most, also for deliveries created in the meantime', async () => {
  behave(tooManyRequests(1e9), { times: 1 })
  await write()
  await deliver()
  const delay = (await readDeliveryJob())!
  assert.ok(Math.abs(delay - DAY_MS) < 5_000, `${delay}`)
  await write(3)
  await deliver()
  assert.equal(requests(), 1)
  assert.equal((await readHost()).consecutive_failures, 0)
  assert.ok(Math.abs((await readDeliveryJob())! - DAY_MS) < 5_000)
})

test('FE15 a redirect of a delivery is not followed', async () => {
  behave(redirectTo('https://two.test/inbox', 301), { times: 1 })
  await write()
  await deliver()
  const [row] = await readDeliveries()
  assert.deepEqual([row!.state, row!.last_status, delivering.two.requests.length], ['pending', 301, 0])
})

test('FE15 F12 after broken connections and endless headers, the host backs off, and no delivery is lost', async () => {
  const headers = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`x-${n}`, 'long'.repeat(10)]))
  for (const behaviour of [resetConnection, respondWith(202, { headers })]) {
    await reset()
    behave(behaviour)
    await write(5)
    await deliver()
    const rows = await readDeliveries()
    assert.ok(rows.every(({ state }) => state === 'pending'))
    const tried = rows.filter(({ attempts }) => attempts > 0)
    assert.ok(tried.length > 0 && tried.length <= 2)
    assert.ok(tried.every(({ last_status, last_error }) => last_status === null && last_error))
    const { consecutive_failures, retry_after, leased_until } = await readHost()
    assert.ok(consecutive_failures >= 1 && retry_after! > now() && leased_until === null)
  }
})

test('a denied delivery is repeated with the other signature scheme, which is stored for the host', async () => {
  const send = async (count: number) => {
    await write(count)
    await deliver()
    return [acceptedActivities().length, requests(), (await readHost()).signature_scheme]
  }
  one.acceptedSpecs = 'rfc9421'
  assert.deepEqual(await send(1), [1, 2, 'rfc9421'])
  assert.deepEqual(await send(3), [4, 5, 'rfc9421'])
  one.acceptedSpecs = 'cavage'
  assert.deepEqual(await send(1), [5, 7, 'cavage'])
})

test('a delivery denied with both signatures is retried later, and does not delay others', async () => {
  const [denied] = await write(2)
  behave(onlyFor(denied!, respondWith(401)))
  await deliver()
  assert.deepEqual(
    (await readDeliveries()).map(({ state, last_status }) => [state, last_status]),
    [
      ['pending', 401],
      ['delivered', 202],
    ],
  )
  assert.equal(requests(), 3)
  const { consecutive_failures, retry_after, signature_scheme } = await readHost()
  assert.deepEqual([consecutive_failures, retry_after, signature_scheme], [0, null, 'cavage'])
})

test('a local error does not count as a failure of the host', async () => {
  const fail = () => {
    throw new TypeError('local error')
  }
  await write()
  await deliver({
    ...delivering.otherProcess(),
    config: { ...ctx.config },
    secrets: { ...ctx.secrets, decrypt: fail, encrypt: fail },
  })
  const [row] = await readDeliveries()
  assert.deepEqual([row!.state, row!.last_error, requests()], ['pending', 'local error', 0])
  const { consecutive_failures, retry_after } = await readHost()
  assert.deepEqual([consecutive_failures, retry_after], [0, null])
})

test('pending deliveries to a host that is suspended in the meantime are not sent', async () => {
  await write(2)
  await blockDomainAsStaff(ctx, 'one.test', { severity: 'suspend' })
  await deliver()
  await unblockDomainAsStaff(ctx, 'one.test')
  assert.deepEqual(
    (await readDeliveries()).map(({ state }) => state),
    ['rejected', 'rejected'],
  )
  assert.deepEqual([requests(), await readDeliveryJob(), (await readHost()).leased_until], [0, null, null])
})
