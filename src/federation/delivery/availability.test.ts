import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openDeliveryServer } from '../../../test/federation/delivery-server.ts'
import { respondWith, resetConnection } from '../../../test/federation/peer/behaviour.ts'
import { rescheduleOverdueDeliveries } from './deliver-to-host.ts'
import { markHostsReachable } from '../inbox/receive/mark-hosts-reachable.ts'
import { pruneDeliveries } from './prune-deliveries.ts'

const DAY_MS = 86_400_000

const delivering = await openDeliveryServer()
const { ctx, one, now, moveClock, write, deliver, deliverWhenDue, behave, requests, acceptedActivities } = delivering
const { readDeliveries, readHost, readDeliveryJob, readDeliveryJobs, countWaiting } = delivering
beforeEach(delivering.reset)
after(delivering.close)

test('after a failure, a host gets a single request as a probe, and the rest once that succeeds', async () => {
  behave(resetConnection)
  await write(30)
  await deliver()
  const probed = requests()
  assert.ok(probed <= 2)
  await deliverWhenDue()
  assert.equal(requests(), probed + 1)
  one.recover()
  await deliverWhenDue()
  assert.ok(acceptedActivities().length >= 28, `${acceptedActivities().length}`)
  while ((await readDeliveryJob()) !== null) await deliverWhenDue()
  assert.deepEqual(
    [acceptedActivities().length, await countWaiting(), (await readHost()).consecutive_failures],
    [30, 0, 0],
  )
})

test('ten consecutive errors open the circuit breaker: nothing is sent for a minute', async () => {
  behave(respondWith(502))
  await write(15)
  await deliver()
  const { consecutive_failures, retry_after } = await readHost()
  assert.ok(consecutive_failures >= 10 && consecutive_failures <= 11, `${consecutive_failures}`)
  const backoffMs = retry_after!.getTime() - now().getTime()
  assert.ok(backoffMs > 50_000 && backoffMs <= 120_000, `${backoffMs}`)
  const before = requests()
  await write(1)
  await deliver()
  assert.equal(requests(), before)
})

test('F15 a host that fails on seven days gets no deliveries until it sends something', async () => {
  behave(resetConnection)
  await write()
  await deliver()
  for (let tries = 0; (await readDeliveryJob()) !== null; tries += 1) {
    assert.ok(tries < 40)
    await write()
    await deliverWhenDue()
  }
  const dead = await readHost()
  assert.equal(dead.failing_days.length, 7)
  const days = (dead.unreachable_since!.getTime() - Date.now()) / DAY_MS
  assert.ok(days > 5 && days < 8, `${days}`)

  const rows = (await readDeliveries()).length
  await write(5)
  await deliver()
  assert.equal((await readDeliveries()).length, rows)
  await rescheduleOverdueDeliveries(ctx)
  assert.deepEqual(await readDeliveryJobs(), [])

  one.recover()
  behave(respondWith(202))
  await ctx.write((tx) => markHostsReachable(tx, { domains: ['one.test'] }))
  assert.deepEqual(await readDeliveryJobs(), ['delivery:one.test'])
  await write()
  await deliver()
  const { unreachable_since, failing_days } = await readHost()
  assert.deepEqual([unreachable_since, failing_days], [null, []])
  assert.equal((await readDeliveries()).at(-1)!.state, 'delivered')
})

test('an unavailable host gets only newer deliveries, and is available again when it responds', async () => {
  await write(3)
  moveClock(1_000)
  await ctx.db.insertInto('hosts').values({ domain: 'one.test', unreachable_since: now() }).execute()
  moveClock(1_000)
  await deliver()
  assert.equal(requests(), 0)
  await write(1, { evenIfUnavailable: true })
  await deliver()
  assert.deepEqual([requests(), (await readHost()).unreachable_since, await countWaiting()], [4, null, 0])
})

test('a host that alternately fails and works stays available', async () => {
  for (let day = 0; day < 10; day += 1) {
    one.recover()
    behave(respondWith(202))
    behave(respondWith(500), { times: 1 })
    await write()
    await deliver()
    await deliverWhenDue()
    moveClock(DAY_MS)
  }
  const { unreachable_since, failing_days } = await readHost()
  assert.deepEqual([unreachable_since, failing_days], [null, []])
})

test('a delivery that fails for a week is abandoned, by its last attempt or by the pruning job', async () => {
  behave(respondWith(500))
  const start = now().getTime()
  await write()
  await deliver()
  while ((await readDeliveryJob()) !== null) {
    await sql`update hosts set unreachable_since = null, failing_days = '{}'`.execute(ctx.db)
    await deliverWhenDue()
  }
  const [row] = await readDeliveries()
  assert.equal(row!.state, 'abandoned')
  const days = (now().getTime() - start) / DAY_MS
  assert.ok(days > 6 && days <= 7, `${days}`)
  assert.ok(row!.attempts > 15 && row!.attempts < 30, `${row!.attempts}`)

  await write()
  moveClock(7 * DAY_MS - 60_000)
  await pruneDeliveries(ctx)
  assert.equal(await countWaiting(), 1)
  moveClock(120_000)
  await pruneDeliveries(ctx)
  assert.equal((await readDeliveries()).at(-1)!.state, 'abandoned')
})

test('deliveries are deleted after a day, failed deliveries and sent activities after a week', async () => {
  const count = async () => [
    (await readDeliveries()).length,
    (await ctx.db.selectFrom('sent_activities').select('id').execute()).length,
  ]
  behave(respondWith(410), { times: 1 })
  await write(3)
  await deliver()
  await pruneDeliveries(ctx)
  assert.deepEqual(await count(), [3, 3])
  moveClock(DAY_MS + 60_000)
  await pruneDeliveries(ctx)
  assert.deepEqual(await count(), [1, 3])
  moveClock(6 * DAY_MS)
  await pruneDeliveries(ctx)
  assert.deepEqual(await count(), [0, 0])
})
