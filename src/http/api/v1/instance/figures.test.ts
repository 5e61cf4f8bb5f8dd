import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../../test/linnet.ts'
import { makeRemote } from '../../../../../test/remote.ts'
import { until } from '../../../../../test/streams.ts'
import { openWorld } from '../../../../../test/world.ts'
import { approveAccount } from '../../../../domain/accounts/approve.ts'
import { tallyActivity } from '../../../../domain/instance/activity.ts'
import { changeSetting } from '../../../../domain/instance/settings.ts'
import type { SettingName } from '../../../../domain/instance/settings.ts'
import { lastWeeks } from '../../../../lib/week.ts'
import type { BuilderCtx } from '../../../../../test/query-builder.ts'

const port = await findPort()
const domain = `localhost:${port}`
const world = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(world.close)
await world.listen()
const { ctx, anonymous } = world

interface Week {
  week: string
  statuses: string
  logins: string
  registrations: string
}

const ACTIVITY = '/api/v1/instance/activity'
const PEERS = '/api/v1/instance/peers'

const choose = (name: SettingName, text: string) => ctx.write((tx) => changeSetting(tx, { name, text }))

/** Asks until it is what is wanted, as what was read counts for a second; each time from elsewhere, so that no throttle minds. */
async function becomes<T>(path: string, find: (body: never) => T, wanted: T): Promise<void> {
  let asked = 0
  let seen: T | undefined
  const isSo = async () => {
    asked += 1
    const remoteAddress = `10.0.${asked >> 8}.${asked & 255}`
    seen = find((await anonymous.send<never>({ url: path, remoteAddress })).body)
    return isDeepStrictEqual(seen, wanted)
  }
  await until(isSo).catch(() => assert.deepEqual(seen, wanted))
}

async function counts(figure: keyof Week, wanted: number): Promise<void> {
  await becomes(ACTIVITY, (weeks: Week[]) => weeks[0]![figure], String(wanted))
}

test('VI13: of statuses, public and unlisted ones of people here are counted, boosts too, and nothing private', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const post = async (visibility: string) =>
    (await alice.client.post('/api/v1/statuses', { status: 'said', visibility })).body.id as string
  await counts('statuses', 0)
  for (const visibility of ['private', 'direct']) await post(visibility)
  const ids = [await post('public'), await post('unlisted')]
  await counts('statuses', 2)
  await bob.client.post(`/api/v1/statuses/${ids[0]}/reblog`)
  await counts('statuses', 3)
  await post('direct')
  await tallyActivity(ctx)
  await tallyActivity(ctx)
  await post('public')
  await counts('statuses', 4)
})

test('who was here, and who joined, is counted once for each week', async () => {
  const { body: before } = await anonymous.get<Week[]>(ACTIVITY)
  const [logins, registrations] = [Number(before[0]!.logins), Number(before[0]!.registrations)]
  const person = await world.createPerson()
  const pending = await world.createPerson({ approved: false })
  const unconfirmed = await world.createPerson({ confirmed: false })
  await counts('registrations', registrations + 1)
  for (const { client } of [person, person, pending, unconfirmed]) await client.get('/api/v1/preferences')
  await counts('logins', logins + 1)

  await ctx.write((tx) => approveAccount(tx, { username: pending.username }))
  await counts('registrations', registrations + 2)

  // Somebody who has been seen today, but not yet in this week.
  const { rows } = await sql<{ week: Date }>`
    update weekly_people set starts_at = starts_at - interval '168 hours' returning starts_at as week`.execute(ctx.db)
  assert.ok(rows.length > 0)
  await sql`update users set last_seen_at = date_trunc('week', now(), 'UTC') - interval '1 second'`.execute(ctx.db)
  await person.client.get('/api/v1/preferences')
  await counts('logins', 1)
  const week = async () => (await anonymous.get<Week[]>(ACTIVITY)).body.slice(0, 2)
  const [now, last] = await week()
  assert.deepEqual([last!.logins, last!.registrations], [String(logins + 1), String(registrations + 2)])
  for (let time = 0; time < 2; time += 1) await tallyActivity(ctx)
  assert.deepEqual(await week(), [now, last])
})

test('known servers are told without those that a rule is for, and found by the beginning of their names', async () => {
  const far = async (name: string, host: string) =>
    makeRemote(ctx, { uri: `https://${host}/users/${name}`, handle: { username: name, domain: host } })
  for (const host of ['b.test', 'a.test', 'a.test', 'xn--bcher-kva.test', 'blocked.test', 'quiet.test', 'noted.test']) {
    await far(`x${Math.random().toString(36).slice(2, 8)}`, host)
  }
  await sql`insert into domain_blocks (domain, severity) values
    ('blocked.test', 'suspend'), ('quiet.test', 'silence'), ('noted.test', 'noop'), ('elsewhere.test', 'suspend')`.execute(
    ctx.db,
  )
  const known = ['a.test', 'b.test', 'xn--bcher-kva.test']
  await becomes(PEERS, (body: string[]) => body, known)
  const answer = await anonymous.get(PEERS)
  assert.deepEqual(answer.body, known)
  assert.equal(answer.headers['cache-control'], 'public, max-age=300')
  const search = async (q: string) => (await anonymous.get('/api/v1/peers/search', { q })).body as string[]
  assert.deepEqual(await search('A.'), ['a.test'])
  assert.deepEqual(await search('büch'), ['xn--bcher-kva.test'])
  assert.deepEqual(await search('xn--b'), ['xn--bcher-kva.test'])
  for (const nothing of ['', '  ', '.test', 'blocked', '%']) assert.deepEqual(await search(nothing), [])
})

test('VI13: what the owner does not want to be told answers with nothing', async () => {
  const asked = [ACTIVITY, PEERS, '/api/v1/peers/search?q=a']
  const person = await world.createPerson()
  const ask = async () =>
    Promise.all(
      asked.flatMap((path) => [anonymous, person.client].map(async (client) => (await client.get(path)).status)),
    )
  assert.deepEqual(new Set(await ask()), new Set([200]))
  await choose('peers', 'off')
  await choose('activity', 'off')
  for (const path of asked) {
    const { status, body, headers } = await anonymous.get(path)
    assert.deepEqual([status, body, headers['cache-control']], [404, '', 'private, no-store'], path)
  }
  assert.deepEqual(new Set(await ask()), new Set([404]))
  await choose('peers', 'on')
  await choose('activity', 'on')
  assert.deepEqual(new Set(await ask()), new Set([200]))
})

test('masto.js reads the weeks and the known servers', async () => {
  const rest = createRestAPIClient({ url: `http://${domain}` })
  const weeks = await rest.v1.instance.activity.list()
  assert.equal(weeks.length, 12)
  const monday = lastWeeks(new Date(), 1)[0]!
  assert.equal(weeks[0]!.week, String(monday.getTime() / 1_000))
  assert.deepEqual(await rest.v1.instance.peers.list(), (await anonymous.get(PEERS)).body)
})

/** A status of somebody, with the id that it would have got at this moment. */
async function insertStatus(db: BuilderCtx['db'], accountId: string, at: string, visibility = 'public'): Promise<void> {
  const id = (BigInt(Date.parse(at)) << 16n) + BigInt(Math.floor(Math.random() * 65_536))
  await sql`insert into statuses (id, account_id, uri, url, visibility, created_at)
    values (${id.toString()}, ${accountId}, ${`test:${id}`}, '', ${visibility}, ${at})`.execute(db)
}

test('FP11: weeks begin on Monday in UTC, around the end of a year and while clocks change, wherever the server is', async (t) => {
  const zone = process.env.TZ
  t.after(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  // Monday evening there, Tuesday in UTC; clocks were put back on the first of November.
  process.env.TZ = 'America/New_York'
  const there = await openWorld({ now: () => new Date('2027-01-05T03:00:00Z'), effects: false })
  t.after(there.close)
  const { accountId } = await there.createPerson()
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
    await insertStatus(there.ctx.db, accountId, at)
    await insertStatus(there.ctx.db, accountId, at, 'private')
  }
  const weeks = async () => {
    const { body } = await there.anonymous.get<Week[]>(ACTIVITY)
    return body.map(({ week, statuses }) => [
      new Date(Number(week) * 1_000).toISOString().slice(0, 16),
      Number(statuses),
    ])
  }
  const told = [
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
  assert.deepEqual(await weeks(), told)
  await tallyActivity(there.ctx)
  assert.deepEqual(await weeks(), told)
  const { rows: kept } = await sql<{ n: number }>`select sum(statuses)::int as n from weekly_figures`.execute(
    there.ctx.db,
  )
  assert.ok(kept[0]!.n >= 6, 'weeks that are over are counted once and for all')
})
