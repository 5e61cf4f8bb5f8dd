import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { createRemoteAccount } from '../../../../../test/federation/remote-records.ts'
import { until } from '../../../../../test/streaming/streams.ts'
import { blockDomainAsStaff } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import { tallyActivity } from '../../../../domain/instance/weekly-activity.ts'
import { countInstance } from '../../../../domain/instance/instance-information.ts'
import { changeSetting } from '../../../../domain/instance/instance-settings.ts'
import type { SettingName } from '../../../../domain/instance/setting-definitions.ts'
import { approvePendingAccount } from '../../../../domain/moderation/accounts/moderate-account.ts'
import { startsOfLastWeeks } from '../../../../lib/time/week.ts'
import type { BuilderCtx } from '../../../../../test/query-builder.ts'

const port = await findPort()
const domain = `localhost:${port}`
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(testServer.close)
await testServer.listen()
const { ctx, anonymous } = testServer

interface Week {
  week: string
  statuses: string
  logins: string
  registrations: string
}

const ACTIVITY = '/api/v1/instance/activity'
const PEERS = '/api/v1/instance/peers'

const setSetting = (name: SettingName, text: string) => ctx.write((tx) => changeSetting(tx, { by: null, name, text }))

/**
 * Polls until the response has the expected value: the server caches it for a moment. Each request comes from another
 * address, so that no throttle applies.
 */
async function waitForValue<T>(path: string, find: (body: never) => T, expected: T): Promise<void> {
  let requestCount = 0
  let value: T | undefined
  const isExpected = async () => {
    requestCount += 1
    const remoteAddress = `10.0.${requestCount >> 8}.${requestCount & 255}`
    value = find((await anonymous.send<never>({ url: path, remoteAddress })).body)
    return isDeepStrictEqual(value, expected)
  }
  await until(isExpected).catch(() => assert.deepEqual(value, expected))
}

async function waitForCount(field: keyof Week, expected: number): Promise<void> {
  await waitForValue(ACTIVITY, (weeks: Week[]) => weeks[0]![field], String(expected))
}

test('VI13: the activity counts public and unlisted local statuses and boosts, none that are private', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const post = async (visibility: string) =>
    (await alice.client.post('/api/v1/statuses', { status: 'hello', visibility })).body.id as string
  await waitForCount('statuses', 0)
  for (const visibility of ['private', 'direct']) await post(visibility)
  const ids = [await post('public'), await post('unlisted')]
  await waitForCount('statuses', 2)
  await bob.client.post(`/api/v1/statuses/${ids[0]}/reblog`)
  await waitForCount('statuses', 3)
  await post('direct')
  await tallyActivity(ctx)
  await tallyActivity(ctx)
  await post('public')
  await waitForCount('statuses', 4)
})

test('the activity counts each login and each registration once per week', async () => {
  const { body: before } = await anonymous.get<Week[]>(ACTIVITY)
  const [logins, registrations] = [Number(before[0]!.logins), Number(before[0]!.registrations)]
  const user = await testServer.createUser()
  const pending = await testServer.createUser({ approved: false })
  const unconfirmed = await testServer.createUser({ confirmed: false })
  await waitForCount('registrations', registrations + 1)
  for (const { client } of [user, user, pending, unconfirmed]) await client.get('/api/v1/preferences')
  await waitForCount('logins', logins + 1)

  await ctx.write((tx) => approvePendingAccount(tx, { accountId: pending.accountId, by: null }))
  await waitForCount('registrations', registrations + 2)

  // A user who was last seen before this week began.
  const { rows } = await sql<{ week: Date }>`
    update weekly_active_users set week_starts_at = week_starts_at - interval '168 hours' returning week_starts_at as week`.execute(
    ctx.db,
  )
  assert.ok(rows.length > 0)
  await sql`update users set last_seen_at = date_trunc('week', now(), 'UTC') - interval '1 second'`.execute(ctx.db)
  await user.client.get('/api/v1/preferences')
  await waitForCount('logins', 1)
  const week = async () => (await anonymous.get<Week[]>(ACTIVITY)).body.slice(0, 2)
  const [now, last] = await week()
  assert.deepEqual([last!.logins, last!.registrations], [String(logins + 1), String(registrations + 2)])
  for (let time = 0; time < 2; time += 1) await tallyActivity(ctx)
  assert.deepEqual(await week(), [now, last])
})

test('the list of peers leaves out servers with a domain block; peers are found by prefix', async () => {
  const createAccountAt = async (name: string, host: string) =>
    createRemoteAccount(ctx, { uri: `https://${host}/users/${name}`, handle: { username: name, domain: host } })
  for (const host of ['b.test', 'a.test', 'a.test', 'xn--bcher-kva.test', 'blocked.test', 'quiet.test', 'noted.test']) {
    await createAccountAt(`x${Math.random().toString(36).slice(2, 8)}`, host)
  }
  const blocks = {
    'blocked.test': 'suspend',
    'quiet.test': 'silence',
    'noted.test': 'noop',
    'other.test': 'suspend',
  } as const
  for (const [name, severity] of Object.entries(blocks)) await blockDomainAsStaff(ctx, name, { severity })
  const known = ['a.test', 'b.test', 'xn--bcher-kva.test']
  await waitForValue(PEERS, (body: string[]) => body, known)
  const response = await anonymous.get(PEERS)
  assert.deepEqual(response.body, known)
  assert.equal(response.headers['cache-control'], 'public, max-age=300')
  const search = async (q: string) => (await anonymous.get('/api/v1/peers/search', { q })).body as string[]
  assert.deepEqual(await search('A.'), ['a.test'])
  assert.deepEqual(await search('büch'), ['xn--bcher-kva.test'])
  assert.deepEqual(await search('xn--b'), ['xn--bcher-kva.test'])
  for (const query of ['', '  ', '.test', 'blocked', '%']) assert.deepEqual(await search(query), [])
})

test('an account whose handle now belongs to another account adds no server to the peers and their number', async () => {
  const before = (await anonymous.get<string[]>(PEERS)).body
  const { domains } = await countInstance(ctx)
  const handle = { username: 'renewed', domain: 'a.test' }
  const former = await createRemoteAccount(ctx, { uri: 'https://a.test/users/former', handle })
  await createRemoteAccount(ctx, { uri: 'https://a.test/users/present', handle, handleProven: true })
  assert.match((await anonymous.get(`/api/v1/accounts/${former}`)).body.acct, /^renewed@\d+\.invalid$/)
  await createRemoteAccount(ctx, { uri: 'https://c.test/users/x', handle: { username: 'x', domain: 'c.test' } })
  await waitForValue(PEERS, (body: string[]) => body, [...before, 'c.test'].toSorted())
  assert.equal((await countInstance(ctx)).domains, domains + 1)
})

test('VI13: disabled statistics get an empty 404', async () => {
  const paths = [ACTIVITY, PEERS, '/api/v1/peers/search?q=a']
  const user = await testServer.createUser()
  const readStatusCodes = async () =>
    Promise.all(
      paths.flatMap((path) => [anonymous, user.client].map(async (client) => (await client.get(path)).status)),
    )
  assert.deepEqual(new Set(await readStatusCodes()), new Set([200]))
  await setSetting('peers', 'off')
  await setSetting('activity', 'off')
  for (const path of paths) {
    const { status, body, headers } = await anonymous.get(path)
    assert.deepEqual([status, body, headers['cache-control']], [404, '', 'private, no-store'], path)
  }
  assert.deepEqual(new Set(await readStatusCodes()), new Set([404]))
  await setSetting('peers', 'on')
  await setSetting('activity', 'on')
  assert.deepEqual(new Set(await readStatusCodes()), new Set([200]))
})

test('masto.js reads the activity and the peers', async () => {
  const rest = createRestAPIClient({ url: `http://${domain}` })
  const weeks = await rest.v1.instance.activity.list()
  assert.equal(weeks.length, 12)
  const monday = startsOfLastWeeks(new Date(), 1)[0]!
  assert.equal(weeks[0]!.week, String(monday.getTime() / 1_000))
  assert.deepEqual(await rest.v1.instance.peers.list(), (await anonymous.get(PEERS)).body)
})

/** Inserts a status with an id of the given time. */
async function insertStatus(db: BuilderCtx['db'], accountId: string, at: string, visibility = 'public'): Promise<void> {
  const id = (BigInt(Date.parse(at)) << 16n) + BigInt(Math.floor(Math.random() * 65_536))
  await sql`insert into statuses (id, account_id, uri, url, visibility, created_at)
    values (${id.toString()}, ${accountId}, ${`test:${id}`}, '', ${visibility}, ${at})`.execute(db)
}

test('FP11: weeks begin on Monday in UTC, across a new year, clock changes and server time zones', async (t) => {
  const timeZone = process.env.TZ
  t.after(() => {
    if (timeZone === undefined) delete process.env.TZ
    else process.env.TZ = timeZone
  })
  // Monday evening in New York, Tuesday in UTC; daylight saving time ended on 1 November.
  process.env.TZ = 'America/New_York'
  const ownServer = await openTestServer({ now: () => new Date('2027-01-05T03:00:00Z'), effects: false })
  t.after(ownServer.close)
  const { accountId } = await ownServer.createUser()
  for (const at of [
    '2027-01-04T00:00:00Z',
    '2027-01-03T23:59:59.999Z',
    '2027-01-01T00:00:00Z',
    '2026-12-31T23:00:00Z',
    '2026-12-28T00:00:00Z',
    '2026-12-27T23:59:59.999Z',
    '2026-11-02T00:00:00Z',
    '2026-11-01T23:59:59.999Z',
    '2026-11-01T05:30:00Z',
    '2026-11-01T06:30:00Z',
    '2026-10-26T00:00:00Z',
    '2026-10-19T00:00:00Z',
    '2026-10-18T23:59:59.999Z',
  ]) {
    await insertStatus(ownServer.ctx.db, accountId, at)
    await insertStatus(ownServer.ctx.db, accountId, at, 'private')
  }
  const weeks = async () => {
    const { body } = await ownServer.anonymous.get<Week[]>(ACTIVITY)
    return body.map(({ week, statuses }) => [
      new Date(Number(week) * 1_000).toISOString().slice(0, 16),
      Number(statuses),
    ])
  }
  const expected = [
    ['2027-01-04T00:00', 1],
    ['2026-12-28T00:00', 4],
    ['2026-12-21T00:00', 1],
    ['2026-12-14T00:00', 0],
    ['2026-12-07T00:00', 0],
    ['2026-11-30T00:00', 0],
    ['2026-11-23T00:00', 0],
    ['2026-11-16T00:00', 0],
    ['2026-11-09T00:00', 0],
    ['2026-11-02T00:00', 1],
    ['2026-10-26T00:00', 4],
    ['2026-10-19T00:00', 1],
  ]
  assert.deepEqual(await weeks(), expected)
  await tallyActivity(ownServer.ctx)
  assert.deepEqual(await weeks(), expected)
  const { rows: stored } = await sql<{ n: number }>`select sum(statuses)::int as n from weekly_activity`.execute(
    ownServer.ctx.db,
  )
  assert.ok(stored[0]!.n >= 6, 'the counts of past weeks are stored')
})
