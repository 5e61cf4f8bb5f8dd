import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openDelivering } from '../../../test/delivering.ts'
import { answer, reset } from '../../../test/peer/behaviour.ts'
import { remindOfDeliveries } from '../courier.ts'
import { hearFrom } from '../inbox/hear-from.ts'
import { pruneDeliveries } from './prune.ts'

const DAY_MS = 86_400_000

const delivering = await openDelivering()
const { ctx, one, now, moveClock, write, deliver, deliverWhenDue, behave, requests, taken } = delivering
const { readDeliveries, readHost, readReminder, readReminders, countWaiting } = delivering
beforeEach(delivering.startOver)
after(delivering.close)

test('a host that failed is tried with one post, and gets the rest once that arrives', async () => {
  behave(reset)
  await write(30)
  await deliver()
  const tried = requests()
  assert.ok(tried <= 2)
  await deliverWhenDue()
  assert.equal(requests(), tried + 1)
  one.recover()
  await deliverWhenDue()
  assert.ok(taken().length >= 28, `${taken().length}`)
  while ((await readReminder()) !== null) await deliverWhenDue()
  assert.deepEqual([taken().length, await countWaiting(), (await readHost()).failures_in_a_row], [30, 0, 0])
})

test('ten errors in a row open the breaker: a minute of peace, also for what is new', async () => {
  behave(answer(502))
  await write(15)
  await deliver()
  const { failures_in_a_row, retry_after } = await readHost()
  assert.ok(failures_in_a_row >= 10 && failures_in_a_row <= 11, `${failures_in_a_row}`)
  const pause = retry_after!.getTime() - now().getTime()
  assert.ok(pause > 50_000 && pause <= 120_000, `${pause}`)
  const before = requests()
  await write(1)
  await deliver()
  assert.equal(requests(), before)
})

test('F15 a host that fails on seven days is left alone until something comes from it', async () => {
  behave(reset)
  await write()
  await deliver()
  for (let tries = 0; (await readReminder()) !== null; tries += 1) {
    assert.ok(tries < 40)
    await write()
    await deliverWhenDue()
  }
  const dead = await readHost()
  assert.equal(dead.failing_days.length, 7)
  const days = (dead.unavailable_since!.getTime() - Date.now()) / DAY_MS
  assert.ok(days > 5 && days < 8, `${days}`)

  const rows = (await readDeliveries()).length
  await write(5)
  await deliver()
  assert.equal((await readDeliveries()).length, rows)
  await remindOfDeliveries(ctx)
  assert.deepEqual(await readReminders(), [])

  one.recover()
  behave(answer(202))
  await ctx.write((tx) => hearFrom(tx, { domains: ['one.test'] }))
  assert.deepEqual(await readReminders(), ['host:one.test'])
  await write()
  await deliver()
  const { unavailable_since, failing_days } = await readHost()
  assert.deepEqual([unavailable_since, failing_days], [null, []])
  assert.equal((await readDeliveries()).at(-1)!.state, 'delivered')
})

test('an unavailable host is asked only what was written since, and is available again when it answers', async () => {
  await write(3)
  moveClock(1_000)
  await ctx.db.insertInto('hosts').values({ domain: 'one.test', unavailable_since: now() }).execute()
  moveClock(1_000)
  await deliver()
  assert.equal(requests(), 0)
  await write(1, { evenIfUnavailable: true })
  await deliver()
  assert.deepEqual([requests(), (await readHost()).unavailable_since, await countWaiting()], [4, null, 0])
})

test('a host that fails and works by turns stays available', async () => {
  for (let day = 0; day < 10; day += 1) {
    one.recover()
    behave(answer(202))
    behave(answer(500), { times: 1 })
    await write()
    await deliver()
    await deliverWhenDue()
    moveClock(DAY_MS)
  }
  const { unavailable_since, failing_days } = await readHost()
  assert.deepEqual([unavailable_since, failing_days], [null, []])
})

test('what could not be delivered for a week is given up, by the last try or by the clock', async () => {
  behave(answer(500))
  const start = now().getTime()
  await write()
  await deliver()
  while ((await readReminder()) !== null) {
    await sql`update hosts set unavailable_since = null, failing_days = '{}'`.execute(ctx.db)
    await deliverWhenDue()
  }
  const [row] = await readDeliveries()
  assert.equal(row!.state, 'given_up')
  const days = (now().getTime() - start) / DAY_MS
  assert.ok(days > 6 && days <= 7, `${days}`)
  assert.ok(row!.attempts > 15 && row!.attempts < 30, `${row!.attempts}`)

  await write()
  moveClock(7 * DAY_MS - 60_000)
  await pruneDeliveries(ctx)
  assert.equal(await countWaiting(), 1)
  moveClock(120_000)
  await pruneDeliveries(ctx)
  assert.equal((await readDeliveries()).at(-1)!.state, 'given_up')
})

test('what is done is forgotten: deliveries after a day, failures and activities after a week', async () => {
  const count = async () => [
    (await readDeliveries()).length,
    (await ctx.db.selectFrom('sent_activities').select('id').execute()).length,
  ]
  behave(answer(410), { times: 1 })
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
