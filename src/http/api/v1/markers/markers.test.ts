import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { until } from '../../../../../test/streaming/streams.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

let now = new Date('2026-03-01T12:00:00.000Z')
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => now })
after(testServer.close)

const PATH = '/api/v1/markers'
const read = async ({ client }: TestUser, query = 'timeline[]=home&timeline[]=notifications') =>
  (await client.get(`${PATH}?${query}`)).body
const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('each timeline has its own marker, whose version is 0 at first and which every further write increments', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  assert.deepEqual(await read(alice), {})
  const first = await alice.client.post(PATH, { home: { last_read_id: '103206804533200177' } })
  assert.equal(first.status, 200)
  assertEntity('Marker', first.body.home)
  assert.deepEqual(first.body, {
    home: { last_read_id: '103206804533200177', version: 0, updated_at: '2026-03-01T12:00:00.000Z' },
  })
  now = new Date(now.getTime() + 5_000)
  const { body } = await alice.client.post(PATH, {
    home: { last_read_id: '9223372036854775807' },
    notifications: { last_read_id: 7 },
  })
  assert.deepEqual(body, {
    home: { last_read_id: '9223372036854775807', version: 1, updated_at: '2026-03-01T12:00:05.000Z' },
    notifications: { last_read_id: '7', version: 0, updated_at: '2026-03-01T12:00:05.000Z' },
  })
  assert.deepEqual(await read(alice), body)
  assert.deepEqual(await read(alice, 'timeline[]=home'), { home: body.home })
  assert.deepEqual(await read(alice, 'timeline=notifications'), { notifications: body.notifications })
  for (const query of ['', 'timeline[]=public', 'timeline[]=__proto__']) assert.deepEqual(await read(alice, query), {})
  assert.deepEqual(await read(bob), {})
  const back = await alice.client.post(PATH, { home: { last_read_id: '5' } })
  assert.deepEqual([back.body.home.last_read_id, back.body.home.version], ['5', 2])
})

test('BI4 a form and JSON have the same effect', async () => {
  for (const [body, headers] of [
    [{ home: { last_read_id: '12' }, notifications: { last_read_id: '34' } }, {}],
    ['home[last_read_id]=12&notifications[last_read_id]=34', form],
  ] as const) {
    const alice = await testServer.createUser()
    assert.equal((await alice.client.post(PATH, body, headers)).status, 200)
    const { home, notifications } = await read(alice)
    assert.deepEqual([home.last_read_id, notifications.last_read_id], ['12', '34'])
  }
})

test('BI6 an invalid id is rejected, and an unknown timeline changes nothing', async () => {
  const alice = await testServer.createUser()
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
    const { status, body: response } = await alice.client.post(PATH, body)
    assert.deepEqual([status, response], [200, {}])
  }
  assert.deepEqual(await read(alice), {})
})

test('of two concurrent writes the later gets 409, and none of its markers are saved', async () => {
  const alice = await testServer.createUser()
  await alice.client.post(PATH, { home: { last_read_id: '1' }, notifications: { last_read_id: '1' } })
  const { db } = testServer.ctx
  const isWaiting = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      )
    ).rows.length > 0
  const result = await db.transaction().execute(async (tx) => {
    await sql`update markers set last_read_id = 5, version = version + 1
      where account_id = ${alice.accountId} and timeline = 'notifications'`.execute(tx)
    const response = alice.client.post(PATH, { home: { last_read_id: '3' }, notifications: { last_read_id: '3' } })
    await until(isWaiting, 'the other write')
    return { pendingResponse: response }
  })
  const { status, body } = await result.pendingResponse
  assert.deepEqual([status, body], [409, { error: 'Conflict during update, please try again' }])
  const { home, notifications } = await read(alice)
  assert.deepEqual(
    [home.last_read_id, home.version, notifications.last_read_id, notifications.version],
    ['1', 0, '5', 1],
  )
})

test('FP7 each of ten concurrent writes either succeeds or gets 409', async () => {
  const alice = await testServer.createUser()
  for (let previous = 0, round = 0; round < 3; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => alice.client.post(PATH, { home: { last_read_id: String(n + 1) } })),
    )
    const successful = responses.filter(({ status }) => status === 200)
    assert.ok(successful.length > 0 && responses.every(({ status }) => status === 200 || status === 409))
    const versions = successful.map(({ body }) => body.home.version).toSorted((a, b) => a - b)
    assert.deepEqual(
      versions,
      successful.map((_, n) => previous + n),
    )
    previous += successful.length
  }
})
