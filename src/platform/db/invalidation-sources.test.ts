import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { captureQueries } from '../../../test/performance/count-queries.ts'
import { disableRateLimits, openUncachedServer } from '../../../test/servers/uncached-server.ts'
import { ACTIONS, RandomActivity } from '../../../test/oracles/random-activity.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
const otherServer = await openUncachedServer(testServer)
// `explain (generic_plan)` needs a client that does not prepare statements.
const client = new pg.Client(testServer.connection)
await client.connect()
after(async () => {
  await client.end()
  await otherServer.close()
  await testServer.close()
})
disableRateLimits(testServer)
const { db } = testServer.ctx

const STATUS = 'cached by the version of the status, which increases with each change of these rows'
const CARD = 'cached by the version of the status, which increases when its card changes'
const FILTERS = 'cached by the version of the filters of a user, which is queried with the viewer state'

/** Tables without an invalidation trigger whose rows are cached nevertheless, and why that is correct. */
const WITHOUT_TRIGGER: Record<string, string> = {
  media_attachments: STATUS,
  status_tags: STATUS,
  tags: 'only their names are cached, which never change',
  status_preview_links: CARD,
  preview_cards: CARD,
  preview_card_authors: CARD,
  notifications: 'the cached columns never change; which notifications exist is queried each time',
  filters: FILTERS,
  filter_keywords: FILTERS,
  filter_statuses: FILTERS,
}

/** Some tables that the queries must read, so that the test cannot pass without data. */
const EXPECTED =
  'access_tokens account_stats blocks custom_emojis favourites mentions mutes polls statuses trending_statuses users'

async function tablesOf(texts: readonly string[]): Promise<string[]> {
  const plans: string[] = []
  for (const text of new Set(texts)) {
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
    plans.push(JSON.stringify(rows))
  }
  return plans.flatMap((plan) => [...plan.matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) => name!))
}

test('all tables whose rows are cached have an invalidation trigger', async () => {
  await sql`insert into custom_emojis (shortcode, image_key) values ('blob', 'blob.png')`.execute(db)
  const activity = await RandomActivity.open({ testServer: testServer, otherServer: otherServer }, { size: 2 })
  const [reader, author] = activity.users as [RandomActivity['users'][number], RandomActivity['users'][number]]
  const action = { from: 0, to: 1, pick: 0, onOtherServer: false }
  for (const name of ['follow', 'post', 'mention', 'post a poll', 'filter', 'receive a remote status']) {
    assert.ok(ACTIONS[name])
    await activity.perform({ ...action, name })
    await activity.perform({ ...action, name, from: 1, to: 0 })
  }
  for (const name of ['quote', 'reblog', 'favourite', 'vote', 'pin', 'fill all feeds'])
    await activity.perform({ ...action, name })
  const ids = activity.statuses.map(({ id }) => `id[]=${id}`).join('&')
  const urls = [
    '/api/v1/timelines/home?limit=40',
    `/api/v1/timelines/list/${reader.listId}`,
    '/api/v1/notifications',
    '/api/v1/trends/statuses',
    `/api/v1/statuses?${ids}`,
    `/api/v1/accounts?id[]=${author.accountId}&id[]=${activity.remoteAccountId}`,
    `/api/v1/accounts/${reader.accountId}/statuses`,
    `/api/v1/statuses/${activity.statuses.at(-1)!.id}/context`,
  ]
  const readAll = async () => {
    for (const url of urls) {
      const { statusCode } = await otherServer.server.inject({
        url,
        headers: { authorization: `Bearer ${reader.token}` },
      })
      assert.equal(statusCode, 200, url)
    }
  }
  await readAll()
  otherServer.clearCaches()
  const first = await captureQueries(readAll)
  const again = new Set(await captureQueries(readAll))
  // Results of statements that run only the first time are cached.
  const cached = first.filter((text) => /^\s*(select|with)/i.test(text) && !again.has(text))
  const tables = new Set(await tablesOf(cached))
  const { rows } = await sql<{ name: string }>`
    select distinct tgrelid::regclass::text as name from pg_trigger where tgname like 'invalidate\\_%'`.execute(db)
  const withTrigger = new Set(rows.map(({ name }) => name))
  assert.deepEqual(
    [...tables].filter((name) => !withTrigger.has(name)).toSorted(),
    Object.keys(WITHOUT_TRIGGER).toSorted(),
    'add these tables to INVALIDATION_SOURCES of the migrations, or add a reason here',
  )
  for (const name of EXPECTED.split(' ')) assert.ok(tables.has(name), name)
})
