import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { until } from '../../../../test/streams.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'

let now = new Date('2026-03-01T12:00:00.000Z')
const world = await openWorld({ env: { DB_POOL: '10' }, now: () => now })
after(world.close)

const PATH = '/api/v1/markers'
const read = async ({ client }: Person, query = 'timeline[]=home&timeline[]=notifications') =>
  (await client.get(`${PATH}?${query}`)).body
const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('what somebody has read is remembered for each place, and its version rises with every write', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  assert.deepEqual(await read(alice), {})
  const first = await alice.client.post(PATH, { home: { last_read_id: '103206804533200177' } })
  assert.equal(first.status, 200)
  assertOnWire('Marker', first.body.home)
  assert.deepEqual(first.body, {
    home: { last_read_id: '103206804533200177', version: 1, updated_at: '2026-03-01T12:00:00.000Z' },
  })
  now = new Date(now.getTime() + 5_000)
  const { body } = await alice.client.post(PATH, {
    home: { last_read_id: '9223372036854775807' },
    notifications: { last_read_id: 7 },
  })
  assert.deepEqual(body, {
    home: { last_read_id: '9223372036854775807', version: 2, updated_at: '2026-03-01T12:00:05.000Z' },
    notifications: { last_read_id: '7', version: 1, updated_at: '2026-03-01T12:00:05.000Z' },
  })
  assert.deepEqual(await read(alice), body)
  assert.deepEqual(await read(alice, 'timeline[]=home'), { home: body.home })
  assert.deepEqual(await read(alice, 'timeline=notifications'), { notifications: body.notifications })
  for (const query of ['', 'timeline[]=public', 'timeline[]=__proto__']) assert.deepEqual(await read(alice, query), {})
  assert.deepEqual(await read(bob), {})
  const back = await alice.client.post(PATH, { home: { last_read_id: '5' } })
  assert.deepEqual([back.body.home.last_read_id, back.body.home.version], ['5', 3])
})

test('BI4 a form and JSON say the same', async () => {
  for (const [body, headers] of [
    [{ home: { last_read_id: '12' }, notifications: { last_read_id: '34' } }, {}],
    ['home[last_read_id]=12&notifications[last_read_id]=34', form],
  ] as const) {
    const alice = await world.createPerson()
    assert.equal((await alice.client.post(PATH, body, headers)).status, 200)
    const { home, notifications } = await read(alice)
    assert.deepEqual([home.last_read_id, notifications.last_read_id], ['12', '34'])
  }
})

test('BI6 what is no id is refused, and what names no place changes nothing', async () => {
  const alice = await world.createPerson()
  for (const id of ['abc', '-1', '0', '1.5', '9223372036854775808', '1'.repeat(400), true]) {
    const { status, body } = await alice.client.post(PATH, {
      home: { last_read_id: '1' },
      notifications: { last_read_id: id },
    })
    assert.deepEqual([status, body.error], [422, 'Validation failed: Last read id is not an id'], String(id))
  }
  for (const body of [
    {},
    { public: { last_read_id: '1' } },
    { home: 'x' },
    { home: [] },
    { home: {} },
    { home: null },
  ]) {
    const { status, body: answer } = await alice.client.post(PATH, body)
    assert.deepEqual([status, answer], [200, {}])
  }
  assert.deepEqual(await read(alice), {})
})

test('of two clients that write at the same moment the later is told so, and loses all that it wrote', async () => {
  const alice = await world.createPerson()
  await alice.client.post(PATH, { home: { last_read_id: '1' }, notifications: { last_read_id: '1' } })
  const { db } = world.ctx
  const waiting = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      )
    ).rows.length > 0
  const late = await db.transaction().execute(async (tx) => {
    await sql`update markers set last_read_id = 5, version = version + 1
      where account_id = ${alice.accountId} and timeline = 'notifications'`.execute(tx)
    const answer = alice.client.post(PATH, { home: { last_read_id: '3' }, notifications: { last_read_id: '3' } })
    await until(waiting, 'the other write')
    return { answer }
  })
  const { status, body } = await late.answer
  assert.deepEqual([status, body], [409, { error: 'Conflict during update, please try again' }])
  const { home, notifications } = await read(alice)
  assert.deepEqual(
    [home.last_read_id, home.version, notifications.last_read_id, notifications.version],
    ['1', 1, '5', 2],
  )
})

test('FP7 of ten writes at once each either counts or is told that it does not', async () => {
  const alice = await world.createPerson()
  for (let known = 0, round = 0; round < 3; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => alice.client.post(PATH, { home: { last_read_id: String(n + 1) } })),
    )
    const counted = answers.filter(({ status }) => status === 200)
    assert.ok(counted.length > 0 && answers.every(({ status }) => status === 200 || status === 409))
    const versions = counted.map(({ body }) => body.home.version).toSorted((a, b) => a - b)
    assert.deepEqual(
      versions,
      counted.map((_, n) => known + n + 1),
    )
    known += counted.length
  }
})
