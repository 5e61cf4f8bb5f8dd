import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { openDelivering } from '../../../test/delivering.ts'
import { answer, busy, gone, redirectTo, reset } from '../../../test/peer/behaviour.ts'
import type { Behaviour } from '../../../test/peer/behaviour.ts'

const DAY_MS = 86_400_000

const delivering = await openDelivering()
const { ctx, one, now, write, deliver, deliverWhenDue, behave, requests, taken } = delivering
const { readDeliveries, readHost, readReminder, countWaiting, startOver } = delivering
beforeEach(startOver)
after(delivering.close)

/** Everything else is dealt with as usual. */
function onlyFor(uri: string, behaviour: Behaviour): Behaviour {
  return async (exchange) => {
    const isIt = String(exchange.request.body).includes(JSON.stringify(uri))
    await (isIt ? behaviour(exchange) : exchange.respond())
  }
}

test('FE15 what is refused for good is not tried again', async () => {
  const refusals: [Behaviour, number][] = [
    [gone, 410],
    [answer(404), 404],
    [answer(403), 403],
  ]
  for (const [behaviour, status] of refusals) {
    await startOver()
    behave(behaviour)
    await write()
    await deliver()
    const [row] = await readDeliveries()
    assert.deepEqual([row!.state, row!.attempts, row!.last_status], ['refused', 1, status])
    assert.equal(await readReminder(), null)
  }
})

test('an error of the server is waited out, seconds at first', async () => {
  behave(answer(500), { times: 2 })
  await write()
  await deliver()
  const [row] = await readDeliveries()
  assert.deepEqual([row!.state, row!.attempts, row!.last_status], ['waiting', 1, 500])
  const pause = (await readReminder())!
  assert.ok(pause > 15_000 && pause < 19_000, `${pause}`)
  await deliver()
  assert.equal(requests(), 1)
  await deliverWhenDue()
  const longer = (await readReminder())!
  assert.ok(longer > 30_000 && longer < 41_000, `${longer}`)
  await deliverWhenDue()
  const [done] = await readDeliveries()
  assert.deepEqual([done!.state, done!.attempts, await readReminder()], ['delivered', 3, null])
})

test('an activity that a server chokes on holds up no other one', async () => {
  const [poison, ...others] = await write(4)
  behave(onlyFor(poison!, answer(500)))
  await deliver()
  assert.deepEqual(new Set(taken()), new Set(others))
  assert.equal(await countWaiting(), 1)
})

test('FE15 a host that asks for a pause gets it, a day at most, whatever else is written meanwhile', async () => {
  behave(busy(1e9), { times: 1 })
  await write()
  await deliver()
  const pause = (await readReminder())!
  assert.ok(Math.abs(pause - DAY_MS) < 5_000, `${pause}`)
  await write(3)
  await deliver()
  assert.equal(requests(), 1)
  assert.equal((await readHost()).failures_in_a_row, 0)
  assert.ok(Math.abs((await readReminder())! - DAY_MS) < 5_000)
})

test('FE15 a redirect of a post is not followed', async () => {
  behave(redirectTo('https://two.test/inbox', 301), { times: 1 })
  await write()
  await deliver()
  const [row] = await readDeliveries()
  assert.deepEqual([row!.state, row!.last_status, delivering.two.requests.length], ['waiting', 301, 0])
})

test('FE15 F12 broken connections and endless headers are no answers: the host rests, and nothing is lost', async () => {
  const headers = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`x-${n}`, 'long'.repeat(10)]))
  for (const behaviour of [reset, answer(202, { headers })]) {
    await startOver()
    behave(behaviour)
    await write(5)
    await deliver()
    const rows = await readDeliveries()
    assert.ok(rows.every(({ state }) => state === 'waiting'))
    const tried = rows.filter(({ attempts }) => attempts > 0)
    assert.ok(tried.length > 0 && tried.length <= 2)
    assert.ok(tried.every(({ last_status, last_error }) => last_status === null && last_error))
    const { failures_in_a_row, retry_after, held_until } = await readHost()
    assert.ok(failures_in_a_row >= 1 && retry_after! > now() && held_until === null)
  }
})

test('a host that does not take the old signature is asked once more by RFC 9421, and it is remembered', async () => {
  const send = async (count: number) => {
    await write(count)
    await deliver()
    return [taken().length, requests(), (await readHost()).signs_with]
  }
  one.understands = 'rfc9421'
  assert.deepEqual(await send(1), [1, 2, 'rfc9421'])
  assert.deepEqual(await send(3), [4, 5, 'rfc9421'])
  one.understands = 'cavage'
  assert.deepEqual(await send(1), [5, 7, 'cavage'])
})

test('a host that takes neither signature is asked again later, and its other posts are not held up', async () => {
  const [mistrusted] = await write(2)
  behave(onlyFor(mistrusted!, answer(401)))
  await deliver()
  assert.deepEqual(
    (await readDeliveries()).map(({ state, last_status }) => [state, last_status]),
    [
      ['waiting', 401],
      ['delivered', 202],
    ],
  )
  assert.equal(requests(), 3)
  const { failures_in_a_row, retry_after, signs_with } = await readHost()
  assert.deepEqual([failures_in_a_row, retry_after, signs_with], [0, null, 'cavage'])
})

test('a mistake of ours counts against nobody else', async () => {
  const fail = () => {
    throw new TypeError('our own mistake')
  }
  await write()
  await deliver({
    ...delivering.anotherProcess(),
    config: { ...ctx.config },
    secrets: { ...ctx.secrets, decrypt: fail, encrypt: fail },
  })
  const [row] = await readDeliveries()
  assert.deepEqual([row!.state, row!.last_error, requests()], ['waiting', 'our own mistake', 0])
  const { failures_in_a_row, retry_after } = await readHost()
  assert.deepEqual([failures_in_a_row, retry_after], [0, null])
})

test('what waits for a host that is suspended in the meantime does not leave', async () => {
  await write(2)
  await ctx.db.insertInto('domain_blocks').values({ domain: 'one.test', severity: 'suspend' }).execute()
  await deliver()
  await ctx.db.deleteFrom('domain_blocks').execute()
  assert.deepEqual(
    (await readDeliveries()).map(({ state }) => state),
    ['refused', 'refused'],
  )
  assert.deepEqual([requests(), await readReminder(), (await readHost()).held_until], [0, null, null])
})
