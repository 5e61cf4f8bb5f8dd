import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openDeliveryServer } from '../../../test/federation/delivery-server.ts'
import { deleteJobs } from '../../../test/jobs/delete-jobs.ts'
import { countReadRowsOfStatements } from '../../../test/performance/count-read-rows.ts'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { respondWith, tooManyRequests, respondAfter } from '../../../test/federation/peer/behaviour.ts'
import { rescheduleOverdueDeliveries } from './deliver-to-host.ts'
import type { BuilderCtx } from '../../../test/query-builder.ts'

const delivering = await openDeliveryServer()
const { ctx, write, deliver, otherProcess, behave, requests, acceptedActivities, readDeliveries, readHost } = delivering
beforeEach(delivering.reset)
after(delivering.close)

test('pending deliveries are sent with a signature, and no further job is scheduled', async () => {
  const uris = await write(3)
  await deliver()
  assert.deepEqual(new Set(acceptedActivities()), new Set(uris))
  assert.deepEqual(
    (await readDeliveries()).map(({ state, attempts, last_status }) => [state, attempts, last_status]),
    Array.from({ length: 3 }, () => ['delivered', 1, 202]),
  )
  const { last_delivered_at, leased_until, consecutive_failures } = await readHost()
  assert.ok(last_delivered_at)
  assert.deepEqual([leased_until, consecutive_failures, await delivering.readDeliveryJob()], [null, 0, null])
})

test('the oldest deliveries are sent first', async () => {
  const uris = await write(5)
  behave(tooManyRequests(60))
  behave(async ({ respond }) => respond(), { times: 2 })
  await deliver()
  assert.deepEqual(new Set(acceptedActivities()), new Set(uris.slice(0, 2)))
})

/** Accepts all deliveries. Returns a function that returns how many were requested at the same time. */
function countConcurrent(): () => number {
  let running = 0
  let maxRunning = 0
  behave(async ({ respond }) => {
    running += 1
    maxRunning = Math.max(maxRunning, running)
    await new Promise((resolve) => setImmediate(resolve))
    await respond()
    running -= 1
  })
  return () => maxRunning
}

test('a host never gets more than two concurrent requests', async () => {
  const maxRunning = countConcurrent()
  await write(50)
  await Promise.all([deliver(), deliver(), deliver(otherProcess()), deliver()])
  assert.deepEqual([maxRunning(), acceptedActivities().length], [2, 50])
})

test('a few deliveries to a host are sent one after the other, which needs only one connection', async () => {
  const maxRunning = countConcurrent()
  await write(10)
  await deliver()
  assert.deepEqual([maxRunning(), acceptedActivities().length], [1, 10])
})

test('a delivery created while its host is being served is sent by the same run', async () => {
  behave(respondAfter(20))
  await write(2)
  const run = deliver()
  await eventually(async () => assert.equal(requests(), 2))
  await write(1)
  await deliver()
  await run
  assert.equal(acceptedActivities().length, 3)
})

test('two processes deliver each activity once', async () => {
  behave(respondAfter(5))
  await write(30)
  await Promise.all([deliver(), deliver(otherProcess()), deliver(otherProcess())])
  assert.deepEqual([acceptedActivities().length, new Set(acceptedActivities()).size], [30, 30])
})

test('F4 a delivery is repeated with the same id if the process is killed before it is recorded', async () => {
  const [uri] = await write()
  const responded = Promise.withResolvers<void>()
  const killed: BuilderCtx = {
    ...otherProcess(),
    fetcher: {
      ...ctx.fetcher,
      async request(input) {
        await ctx.fetcher.request(input)
        responded.resolve()
        return new Promise(() => {})
      },
    },
  }
  void deliver(killed)
  await responded.promise
  // The lease of the killed process has not expired: another job is scheduled for when it has.
  await deliver()
  assert.equal(requests(), 1)
  const retryMs = (await delivering.readDeliveryJob())!
  assert.ok(retryMs > 0 && retryMs <= 5_000, `${retryMs}`)
  await sql`update hosts set leased_until = leased_until - interval '20 seconds'`.execute(ctx.db)
  await deliver()
  assert.deepEqual(acceptedActivities(), [uri, uri])
  const [row] = await readDeliveries()
  assert.deepEqual([row!.state, row!.attempts], ['delivered', 1])
})

test('overdue hosts without a job are rescheduled, unless they are backing off or leased', async () => {
  const { readDeliveryJobs } = delivering
  const uris = await write(2)
  await deleteJobs(ctx)
  await rescheduleOverdueDeliveries(ctx)
  assert.deepEqual(await readDeliveryJobs(), [])
  delivering.moveClock(31_000)
  await rescheduleOverdueDeliveries(ctx)
  assert.deepEqual(await readDeliveryJobs(), ['delivery:one.test'])
  for (const state of [
    { leased_until: new Date(Date.now() + 60_000) },
    { retry_after: new Date(Date.now() + 60_000) },
  ]) {
    await deleteJobs(ctx)
    await sql`delete from hosts`.execute(ctx.db)
    await ctx.db
      .insertInto('hosts')
      .values({ domain: 'one.test', ...state })
      .execute()
    await rescheduleOverdueDeliveries(ctx)
    assert.deepEqual(await readDeliveryJobs(), [])
  }
  await sql`delete from hosts`.execute(ctx.db)
  await deliver()
  assert.deepEqual(new Set(acceptedActivities()), new Set(uris))
  await rescheduleOverdueDeliveries(ctx)
  assert.deepEqual(await readDeliveryJobs(), [])
})

test('a hundred thousand pending deliveries neither fill the memory nor slow each other down', async (t) => {
  await write()
  await sql`
    insert into deliveries (activity_id, inbox_url, domain, next_attempt_at)
    select (select id from sent_activities), 'https://one.test/users/' || n || '/inbox', 'one.test',
      now() - n * interval '1 millisecond'
    from generate_series(1, 100000) n`.execute(ctx.db)
  await sql`analyze deliveries`.execute(ctx.db)
  behave(tooManyRequests(60))
  behave(respondWith(202), { times: 500 })
  const { counting, rowsOfStatements } = countReadRowsOfStatements(ctx, { table: 'deliveries' })
  const heapBefore = process.memoryUsage().heapUsed
  // A slow machine needs several runs.
  while (requests() < 500) await deliver(counting)
  const heapGrowthMb = (process.memoryUsage().heapUsed - heapBefore) / 1024 / 1024
  const mostRows = Math.max(...rowsOfStatements)
  t.diagnostic(`heap + ${heapGrowthMb.toFixed(0)} MB, at most ${mostRows} rows read by a statement`)
  assert.ok(mostRows > 0 && mostRows < 1_000, `${mostRows}`)
  assert.ok(heapGrowthMb < 80, `${heapGrowthMb}`)
})
