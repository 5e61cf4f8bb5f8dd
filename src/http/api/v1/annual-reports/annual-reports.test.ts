import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { createAnnualReport } from '../../../../domain/annual-reports/create-annual-report.ts'
import type { AnnualReports } from '../../../../render/annual-reports/render-annual-reports.ts'

/** The current year: status ids depend on the clock of the database. */
const year = new Date().getUTCFullYear()
let now = new Date(Date.UTC(year, 11, 10))
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => now })
after(testServer.close)

const path = `/api/v1/annual_reports/${year}`

async function stateOf({ client }: TestUser, reportYear: number | string = year): Promise<string> {
  const { status, body } = await client.get(`/api/v1/annual_reports/${reportYear}/state`)
  assert.equal(status, 200)
  return body.state
}

async function read({ client }: TestUser, url: string): Promise<AnnualReports> {
  const { status, body } = await client.get<AnnualReports>(url)
  assert.equal(status, 200)
  for (const report of body.annual_reports) assertEntity('AnnualReport', report)
  for (const status of body.statuses) assertEntity('Status', status)
  return body
}

async function post({ client }: TestUser, status: string, more: object = {}): Promise<string> {
  const response = await client.post('/api/v1/statuses', { status, ...more })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body.id
}

test('in December a user with posts in the year can generate a report once', async () => {
  const [ann, bob] = [await testServer.createUser(), await testServer.createUser()]
  assert.equal(await stateOf(ann), 'ineligible')
  const withoutPosts = await ann.client.post(`${path}/generate`)
  assert.deepEqual([withoutPosts.status, withoutPosts.body], [200, {}])
  const reblogged = await post(ann, 'one #Walk')
  await post(ann, 'two #walk #rain')
  await post(bob, 'hello')
  for (const { client } of [ann, bob]) await client.post(`/api/v1/statuses/${reblogged}/reblog`)
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/follow`)
  await sql`update follows set created_at = ${now}`.execute(testServer.ctx.db)
  await testServer.waitForJobs()
  assert.equal(await stateOf(ann), 'eligible')
  const noReports: AnnualReports = { annual_reports: [], accounts: [], statuses: [] }
  assert.deepEqual(await read(ann, '/api/v1/annual_reports'), noReports)
  assert.equal((await ann.client.get(path)).status, 404)

  const requested = await ann.client.post(`${path}/generate`)
  assert.equal(requested.status, 202)
  const [, id] = /^id="([^"]+)", retry=2$/.exec(String(requested.headers['mastodon-async-refresh']))!
  await testServer.waitForJobs()
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
        top_statuses: { by_reblogs: reblogged, by_favourites: null, by_replies: null },
      },
      schema_version: 2,
      share_url: null,
      account_id: ann.accountId,
    },
  ])
  assert.deepEqual(
    [unread.accounts.map(({ id: accountId }) => accountId), unread.statuses.map((status) => status.id)],
    [[ann.accountId], [reblogged]],
  )
  assert.deepEqual((await ann.client.post(`${path}/read`)).body, {})
  assert.deepEqual(await read(ann, '/api/v1/annual_reports'), noReports)
  assert.deepEqual(await read(ann, path), unread)
  await ann.client.delete(`/api/v1/statuses/${reblogged}`)
  const {
    annual_reports: [report],
    statuses,
  } = await read(ann, path)
  assert.deepEqual([report!.data.top_statuses.by_reblogs, statuses], [null, []])
})

test('only the user is notified when a report is ready, once per year', async () => {
  const [ann, bob] = [await testServer.createUser(), await testServer.createUser()]
  await post(ann, 'hello')
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/follow`)
  const notificationsFor = async (user: TestUser) => {
    await testServer.waitForJobs()
    const { body } = await user.client.get('/api/v1/notifications?types[]=annual_report')
    for (const notification of body) assertEntity('Notification', notification)
    return body
  }
  assert.deepEqual(await notificationsFor(ann), [])
  for (let n = 0; n < 2; n += 1) await ann.client.post(`${path}/generate`)
  const [{ id, account, annual_report: report, group_key: key }, ...others] = await notificationsFor(ann)
  assert.deepEqual([report, account.id, key], [{ year: String(year) }, ann.accountId, `ungrouped-${id}`])
  assert.deepEqual(others, [])
  assert.deepEqual(await notificationsFor(bob), [])
  const { body: grouped } = await ann.client.get(`/api/v2/notifications/${key}?supported_types[]=mention`)
  assertEntity('GroupedNotificationsResults', grouped)
  const [group] = grouped.notification_groups
  assert.deepEqual([group.type, group.annual_report, group.fallback], ['annual_report', report, undefined])
  // A report of another year, generated as in December of that year.
  const { rows } = await sql<{ refresh_id: string }>`
    insert into annual_reports (account_id, year, requested_at) values (${ann.accountId}, ${year - 1}, now())
    returning refresh_id`.execute(testServer.ctx.db)
  for (let n = 0; n < 2; n += 1) await createAnnualReport(testServer.ctx, { refreshId: rows[0]!.refresh_id })
  const years = (await notificationsFor(ann)).map(
    ({ annual_report }: { annual_report: { year: string } }) => annual_report.year,
  )
  assert.deepEqual(years, [String(year - 1), String(year)])
})

test('the most frequent kind of status determines the archetype', async () => {
  const recipient = await testServer.createUser()
  for (const [archetype, insert] of [
    ['oracle', `visibility, reblog_of_id, in_reply_to_account_id) select $, 'public', null::bigint, null::bigint`],
    [
      'replier',
      `visibility, reblog_of_id, in_reply_to_account_id) select $, 'direct', null::bigint, ${recipient.accountId}`,
    ],
    ['booster', `visibility, reblog_of_id, in_reply_to_account_id) select $, 'public', s.id, null::bigint`],
  ] as const) {
    const user = await testServer.createUser()
    const [columns, values] = insert.split(' select $, ')
    const source =
      archetype === 'booster' ? `from statuses s where s.uri like 'many:oracle:%'` : 'from generate_series(1, 110) n'
    const uri = `'many:${archetype}:' || ${archetype === 'booster' ? 's.id' : 'n'}`
    await sql`${sql.raw(`insert into statuses (account_id, uri, url, ${columns} select ${user.accountId}, ${uri}, '', ${values} ${source}`)}`.execute(
      testServer.ctx.db,
    )
    assert.equal((await user.client.post(`${path}/generate`)).status, 202)
    await testServer.waitForJobs()
    const [report] = (await read(user, path)).annual_reports
    assert.deepEqual([report!.data.archetype, report!.data.time_series[0]!.statuses], [archetype, 110])
  }
})

test('a report can be generated from 10 to 31 December of its year, if enabled', async () => {
  const ann = await testServer.createUser()
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
  for (const invalid of ['soon', '20266', '0999']) {
    assert.equal((await ann.client.get(`/api/v1/annual_reports/${invalid}`)).status, 404)
    assert.equal((await ann.client.get(`/api/v1/annual_reports/${invalid}/state`)).status, 404)
  }
  await sql`insert into settings (name, value) values ('wrapstodon', 'false')`.execute(testServer.ctx.db)
  assert.equal(await stateOf(ann), 'ineligible')
  await sql`delete from settings where name = 'wrapstodon'`.execute(testServer.ctx.db)
  assert.equal(await stateOf(ann), 'eligible')
})

test('a report is generated once for concurrent requests, and again if it is never finished', async (t) => {
  const ownServer = await openTestServer({ now: () => now, effects: false })
  t.after(ownServer.close)
  now = new Date(Date.UTC(year, 11, 21))
  const ann = await ownServer.createUser()
  await post(ann, 'hello')
  const generate = async () => {
    const { status, headers } = await ann.client.post(`${path}/generate`)
    assert.equal(status, 202)
    return headers['mastodon-async-refresh']
  }
  const [first, second] = await Promise.all([generate(), generate()])
  assert.equal(first, second)
  assert.equal(await stateOf(ann), 'generating')
  now = new Date(now.getTime() + 10 * 60_000)
  assert.equal(await stateOf(ann), 'eligible')
  assert.notEqual(await generate(), first)
})
