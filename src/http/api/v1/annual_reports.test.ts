import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { makeAnnualReport } from '../../../domain/annual-reports/make.ts'
import type { ReportsWithNamed } from '../../../render/annual-reports.ts'

/** Ids of statuses go by the database's clock, and so does the year. */
const year = new Date().getUTCFullYear()
let now = new Date(Date.UTC(year, 11, 10))
const world = await openWorld({ env: { DB_POOL: '10' }, now: () => now })
after(world.close)

const path = `/api/v1/annual_reports/${year}`

async function stateOf({ client }: Person, of: number | string = year): Promise<string> {
  const { status, body } = await client.get(`/api/v1/annual_reports/${of}/state`)
  assert.equal(status, 200)
  return body.state
}

async function read({ client }: Person, url: string): Promise<ReportsWithNamed> {
  const { status, body } = await client.get<ReportsWithNamed>(url)
  assert.equal(status, 200)
  for (const report of body.annual_reports) assertOnWire('AnnualReport', report)
  for (const one of body.statuses) assertOnWire('Status', one)
  return body
}

async function post({ client }: Person, status: string, more: object = {}): Promise<string> {
  const answer = await client.post('/api/v1/statuses', { status, ...more })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.id
}

test('in December whoever posted in the year may have a report of it made, once', async () => {
  const [ann, bob] = [await world.createPerson(), await world.createPerson()]
  assert.equal(await stateOf(ann), 'ineligible')
  const quiet = await ann.client.post(`${path}/generate`)
  assert.deepEqual([quiet.status, quiet.body], [200, {}])
  const liked = await post(ann, 'one #Walk')
  await post(ann, 'two #walk #rain')
  await post(bob, 'hello')
  for (const one of [ann, bob]) await one.client.post(`/api/v1/statuses/${liked}/reblog`)
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/follow`)
  await sql`update follows set created_at = ${now}`.execute(world.ctx.db)
  await world.settle()
  assert.equal(await stateOf(ann), 'eligible')
  const none: ReportsWithNamed = { annual_reports: [], accounts: [], statuses: [] }
  assert.deepEqual(await read(ann, '/api/v1/annual_reports'), none)
  assert.equal((await ann.client.get(path)).status, 404)

  const asked = await ann.client.post(`${path}/generate`)
  assert.equal(asked.status, 202)
  const [, id] = /^id="([^"]+)", retry=2$/.exec(String(asked.headers['mastodon-async-refresh']))!
  await world.settle()
  const done = { async_refresh: { id, status: 'finished', result_count: null } }
  assert.deepEqual((await ann.client.get(`/api/v1_alpha/async_refreshes/${id}`)).body, done)
  assert.equal((await bob.client.get(`/api/v1_alpha/async_refreshes/${id}`)).status, 404)
  assert.equal(await stateOf(ann), 'available')
  assert.equal(await stateOf(bob), 'eligible')
  const again = await ann.client.post(`${path}/generate`)
  assert.deepEqual([again.status, again.body], [200, {}])

  const unread = await read(ann, '/api/v1/annual_reports')
  assert.deepEqual(unread.annual_reports, [
    {
      year,
      data: {
        archetype: 'lurker',
        time_series: [{ month: 12, statuses: 3, followers: 1 }],
        top_hashtags: [{ name: 'Walk', count: 2 }],
        top_statuses: { by_reblogs: liked, by_favourites: null, by_replies: null },
      },
      schema_version: 2,
      share_url: null,
      account_id: ann.accountId,
    },
  ])
  assert.deepEqual(
    [unread.accounts.map((one) => one.id), unread.statuses.map((one) => one.id)],
    [[ann.accountId], [liked]],
  )
  assert.deepEqual((await ann.client.post(`${path}/read`)).body, {})
  assert.deepEqual(await read(ann, '/api/v1/annual_reports'), none)
  assert.deepEqual(await read(ann, path), unread)
  await ann.client.delete(`/api/v1/statuses/${liked}`)
  const {
    annual_reports: [report],
    statuses,
  } = await read(ann, path)
  assert.deepEqual([report!.data.top_statuses.by_reblogs, statuses], [null, []])
})

test('whoever asked for a report is notified once it is there, once for each year, and nobody else is', async () => {
  const [ann, bob] = [await world.createPerson(), await world.createPerson()]
  await post(ann, 'hello')
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/follow`)
  const notified = async (person: Person) => {
    await world.settle()
    const { body } = await person.client.get('/api/v1/notifications?types[]=annual_report')
    for (const one of body) assertOnWire('Notification', one)
    return body
  }
  assert.deepEqual(await notified(ann), [])
  for (let n = 0; n < 2; n += 1) await ann.client.post(`${path}/generate`)
  const [{ id, account, annual_report: about, group_key: key }, ...others] = await notified(ann)
  assert.deepEqual([about, account.id, key], [{ year: String(year) }, ann.accountId, `ungrouped-${id}`])
  assert.deepEqual(others, [])
  assert.deepEqual(await notified(bob), [])
  const { body: grouped } = await ann.client.get(`/api/v2/notifications/${key}?supported_types[]=mention`)
  assertOnWire('GroupedNotificationsResults', grouped)
  const [group] = grouped.notification_groups
  assert.deepEqual([group.type, group.annual_report, group.fallback], ['annual_report', about, undefined])
  // The report of another year, made as if it were that December.
  const { rows } = await sql<{ refresh_id: string }>`
    insert into annual_reports (account_id, year, asked_at) values (${ann.accountId}, ${year - 1}, now())
    returning refresh_id`.execute(world.ctx.db)
  for (let n = 0; n < 2; n += 1) await makeAnnualReport(world.ctx, { refreshId: rows[0]!.refresh_id })
  const years = (await notified(ann)).map((one: { annual_report: { year: string } }) => one.annual_report.year)
  assert.deepEqual(years, [String(year - 1), String(year)])
})

test('what somebody did most in a year says what kind of author they are', async () => {
  const friend = await world.createPerson()
  for (const [archetype, insert] of [
    ['oracle', `visibility, reblog_of_id, in_reply_to_account_id) select $, 'public', null::bigint, null::bigint`],
    [
      'replier',
      `visibility, reblog_of_id, in_reply_to_account_id) select $, 'direct', null::bigint, ${friend.accountId}`,
    ],
    ['booster', `visibility, reblog_of_id, in_reply_to_account_id) select $, 'public', s.id, null::bigint`],
  ] as const) {
    const one = await world.createPerson()
    const [columns, values] = insert.split(' select $, ')
    const source =
      archetype === 'booster' ? `from statuses s where s.uri like 'many:oracle:%'` : 'from generate_series(1, 110) n'
    const uri = `'many:${archetype}:' || ${archetype === 'booster' ? 's.id' : 'n'}`
    await sql`${sql.raw(`insert into statuses (account_id, uri, url, ${columns} select ${one.accountId}, ${uri}, '', ${values} ${source}`)}`.execute(
      world.ctx.db,
    )
    assert.equal((await one.client.post(`${path}/generate`)).status, 202)
    await world.settle()
    const [report] = (await read(one, path)).annual_reports
    assert.deepEqual([report!.data.archetype, report!.data.time_series[0]!.statuses], [archetype, 110])
  }
})

test('a report can be had from the tenth to the end of December, of that year, where the owner wants it', async () => {
  const ann = await world.createPerson()
  await post(ann, 'hello')
  const at = async (month: number, day: number) => {
    now = new Date(Date.UTC(year, month, day, 12))
    return stateOf(ann)
  }
  assert.equal(await at(11, 9), 'ineligible')
  assert.equal((await ann.client.post(`${path}/generate`)).headers['mastodon-async-refresh'], undefined)
  assert.equal(await at(11, 31), 'eligible')
  assert.equal(await stateOf(ann, year - 1), 'ineligible')
  assert.equal(await at(12, 1), 'ineligible')
  now = new Date(Date.UTC(year, 11, 20))
  for (const wrong of ['soon', '20266', '0999']) {
    assert.equal((await ann.client.get(`/api/v1/annual_reports/${wrong}`)).status, 404)
    assert.equal((await ann.client.get(`/api/v1/annual_reports/${wrong}/state`)).status, 404)
  }
  await sql`insert into settings (name, value) values ('wrapstodon', 'false')`.execute(world.ctx.db)
  assert.equal(await stateOf(ann), 'ineligible')
  await sql`delete from settings where name = 'wrapstodon'`.execute(world.ctx.db)
  assert.equal(await stateOf(ann), 'eligible')
})

test('a report that never came is asked for again after a while, and by two requests at once is made once', async (t) => {
  const still = await openWorld({ now: () => now, effects: false })
  t.after(still.close)
  now = new Date(Date.UTC(year, 11, 21))
  const ann = await still.createPerson()
  await post(ann, 'hello')
  const ask = async () => {
    const { status, headers } = await ann.client.post(`${path}/generate`)
    assert.equal(status, 202)
    return headers['mastodon-async-refresh']
  }
  const [one, other] = await Promise.all([ask(), ask()])
  assert.equal(one, other)
  assert.equal(await stateOf(ann), 'generating')
  now = new Date(now.getTime() + 10 * 60_000)
  assert.equal(await stateOf(ann), 'eligible')
  assert.notEqual(await ask(), one)
})
