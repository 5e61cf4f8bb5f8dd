import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openDelivering } from '../../test/delivering.ts'
import { forgetJobs } from '../../test/jobs.ts'
import { eventually } from '../../test/linnet.ts'
import { answer, busy, slow } from '../../test/peer/behaviour.ts'
import { remindOfDeliveries } from './courier.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'

const delivering = await openDelivering()
const { ctx, write, deliver, anotherProcess, behave, requests, taken, readDeliveries, readHost } = delivering
beforeEach(delivering.startOver)
after(delivering.close)

test('what waits is delivered, signed, and nothing more is thought of', async () => {
  const uris = await write(3)
  await deliver()
  assert.deepEqual(new Set(taken()), new Set(uris))
  assert.deepEqual(
    (await readDeliveries()).map(({ state, attempts, last_status }) => [state, attempts, last_status]),
    Array.from({ length: 3 }, () => ['delivered', 1, 202]),
  )
  const { last_delivered_at, held_until, failures_in_a_row } = await readHost()
  assert.ok(last_delivered_at)
  assert.deepEqual([held_until, failures_in_a_row, await delivering.readReminder()], [null, 0, null])
})

test('the oldest is delivered first', async () => {
  const uris = await write(5)
  behave(busy(60))
  behave(async ({ respond }) => respond(), { times: 2 })
  await deliver()
  assert.deepEqual(new Set(taken()), new Set(uris.slice(0, 2)))
})

test('never more than two posts are on their way to a host', async () => {
  let open = 0
  let most = 0
  behave(async ({ respond }) => {
    open += 1
    most = Math.max(most, open)
    await new Promise((resolve) => setImmediate(resolve))
    await respond()
    open -= 1
  })
  await write(50)
  await Promise.all([deliver(), deliver(), deliver(anotherProcess()), deliver()])
  assert.deepEqual([most, taken().length], [2, 50])
})

test('what is written while a host is being delivered to leaves with the same round', async () => {
  behave(slow(20))
  await write(2)
  const round = deliver()
  await eventually(async () => assert.equal(requests(), 2))
  await write(1)
  await deliver()
  await round
  assert.equal(taken().length, 3)
})

test('two processes deliver each activity once', async () => {
  behave(slow(5))
  await write(30)
  await Promise.all([deliver(), deliver(anotherProcess()), deliver(anotherProcess())])
  assert.deepEqual([taken().length, new Set(taken()).size], [30, 30])
})

test('F4 what a peer took, but nobody noted before the process was killed, is sent again under the same id', async () => {
  const [uri] = await write()
  const answered = Promise.withResolvers<void>()
  const killed: BuilderCtx = {
    ...anotherProcess(),
    fetcher: {
      ...ctx.fetcher,
      async request(input) {
        await ctx.fetcher.request(input)
        answered.resolve()
        return new Promise(() => {})
      },
    },
  }
  void deliver(killed)
  await answered.promise
  // The dead process still holds the host for a while: somebody looks again when it doesn't any more.
  await deliver()
  assert.equal(requests(), 1)
  const pause = (await delivering.readReminder())!
  assert.ok(pause > 0 && pause <= 5_000, `${pause}`)
  await sql`update hosts set held_until = held_until - interval '20 seconds'`.execute(ctx.db)
  await deliver()
  assert.deepEqual(taken(), [uri, uri])
  const [row] = await readDeliveries()
  assert.deepEqual([row!.state, row!.attempts], ['delivered', 1])
})

test('hosts that everybody forgot are remembered, unless they rest or are held', async () => {
  const { readReminders } = delivering
  const uris = await write(2)
  const forget = () => forgetJobs(ctx)
  await forget()
  await remindOfDeliveries(ctx)
  assert.deepEqual(await readReminders(), [])
  delivering.moveClock(31_000)
  await remindOfDeliveries(ctx)
  assert.deepEqual(await readReminders(), ['host:one.test'])
  for (const state of [{ held_until: new Date(Date.now() + 60_000) }, { retry_after: new Date(Date.now() + 60_000) }]) {
    await forget()
    await sql`delete from hosts`.execute(ctx.db)
    await ctx.db
      .insertInto('hosts')
      .values({ domain: 'one.test', ...state })
      .execute()
    await remindOfDeliveries(ctx)
    assert.deepEqual(await readReminders(), [])
  }
  await sql`delete from hosts`.execute(ctx.db)
  await deliver()
  assert.deepEqual(new Set(taken()), new Set(uris))
  await remindOfDeliveries(ctx)
  assert.deepEqual(await readReminders(), [])
})

test('a hundred thousand waiting deliveries neither fill the memory nor slow each other down', async (t) => {
  await write()
  await sql`
    insert into deliveries (activity_id, inbox_url, domain)
    select (select id from sent_activities), 'https://one.test/users/' || n || '/inbox', 'one.test'
    from generate_series(1, 100000) n`.execute(ctx.db)
  await sql`analyze deliveries`.execute(ctx.db)
  behave(busy(60))
  behave(answer(202), { times: 500 })
  const heapBefore = process.memoryUsage().heapUsed
  const start = performance.now()
  await deliver()
  const perSecond = requests() / ((performance.now() - start) / 1_000)
  const grownMb = (process.memoryUsage().heapUsed - heapBefore) / 1024 / 1024
  t.diagnostic(`${perSecond.toFixed(0)} deliveries a second to one host, heap + ${grownMb.toFixed(0)} MB`)
  assert.ok(requests() >= 500)
  assert.ok(grownMb < 80, `${grownMb}`)
})
