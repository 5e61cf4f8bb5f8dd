import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import type { Client } from '../../../../../test/http/client.ts'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { createUsers } from '../../../../../test/servers/create-users.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../../test/federation/remote-records.ts'
import { ENOUGH_ACCOUNTS, openTrendServer } from '../../../../../test/features/trends.ts'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { limit, suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { approveTrend, rejectTrend } from '../../../../domain/trends/review-trend.ts'
import type { Status } from '../../../../entities/statuses/status.ts'

/** How far the clock of the server is ahead of the database, which sets the time of statuses. */
let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const trending = await openTrendServer(testServer)
const { createFindable, favourite, measure, post, set } = trending
const reader = await testServer.createUser()

const PATH = '/api/v1/trends/statuses'
const list = async (client: Client = testServer.anonymous, language = 'en') => {
  // So that no throttle applies.
  aheadMs += 1_000
  const headers = { 'accept-language': language }
  const { status, body } = await client.send<Status[]>({ method: 'GET', url: PATH, headers })
  assert.equal(status, 200)
  return body
}
const idsOf = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ id }) => id)

/** Posts a status by a new user, with enough favourites to trend. */
async function postTrend(more: object = {}, favourites = ENOUGH_ACCOUNTS): Promise<{ id: string; author: TestUser }> {
  const author = await createFindable()
  const id = await post(author, 'Everybody likes it', more)
  await favourite(id, favourites)
  return { id, author }
}
async function clear(): Promise<void> {
  await sql`update statuses set deleted_at = now() where deleted_at is null`.execute(db)
  await measure()
}

test('VI17 a status with many favourites trends once staff approve it, or if no review is required', async () => {
  const { id } = await postTrend()
  const { id: other } = await postTrend()
  assert.deepEqual(await idsOf(), [])
  await measure()
  assert.deepEqual(await idsOf(), [])
  await ctx.write((tx) => approveTrend(tx, { kind: 'status', id, by: null }))
  assert.deepEqual(await idsOf(), [id])
  await set('trends-unreviewed', 'on')
  assert.deepEqual(await idsOf(), [other, id])
  await ctx.write((tx) => rejectTrend(tx, { kind: 'status', id, by: null }))
  assert.deepEqual(await idsOf(), [other])
  for (const status of await list(reader.client)) assertEntity('Status', status)
  await set('trends', 'off')
  assert.deepEqual(await idsOf(), [])
  await set('trends', 'on')
  await clear()
})

test('statuses are ranked by favourites and boosts, which count less with age', async () => {
  const { id: old } = await postTrend({}, 8)
  const { id: less } = await postTrend({}, 5)
  const { id: most } = await postTrend({}, 4)
  const { id: few } = await postTrend({}, 4)
  for (const { client } of trending.users.slice(0, 2)) {
    assert.equal((await client.post(`/api/v1/statuses/${most}/reblog`)).status, 200)
  }
  await sql`update statuses set created_at = created_at - interval '2 hours' where id = ${old}`.execute(db)
  await measure()
  assert.deepEqual(await idsOf(), [most, less, old])
  // A score of 7² falls below 0.3 after 7.4 hours, 4² after 5.8, 5² after 6.4.
  const shownAfter = async (hours: number) => {
    aheadMs = hours * 3_600_000
    await measure()
    return idsOf()
  }
  assert.deepEqual(await shownAfter(5.2), [most, less, old])
  assert.deepEqual(await shownAfter(5.5), [most, less])
  assert.deepEqual(await shownAfter(6), [most])
  assert.deepEqual(await shownAfter(7), [])
  await favourite(few, 8)
  await measure()
  assert.deepEqual(await idsOf(), [few])
  aheadMs = 0
  await clear()
})

test('VI17 replies and statuses that are not public, have a warning or an ineligible author do not trend', async () => {
  const { id: root, author } = await postTrend()
  for (const more of [
    { visibility: 'unlisted' },
    { visibility: 'private' },
    { local_only: true },
    { spoiler_text: 'careful' },
    { sensitive: true },
    { in_reply_to_id: root },
  ]) {
    const user = await createFindable()
    const id = await post(user, 'no', more)
    for (const { client } of trending.users) await client.post(`/api/v1/statuses/${id}/favourite`)
    await sql`update status_stats set favourites_count = 9 where status_id = ${id}`.execute(db)
    await sql`insert into status_stats (status_id, favourites_count) values (${id}, 9) on conflict do nothing`.execute(
      db,
    )
  }
  await favourite(await post(reader, 'not to be discovered'))
  await sql`update statuses set language = null where id = ${(await postTrend()).id}`.execute(db)
  await limit(ctx, (await postTrend()).author)
  await measure()
  for (const client of [testServer.anonymous, reader.client, author.client])
    assert.deepEqual(await idsOf(client), [root])
  await clear()
})

test('VI17 a reply to a status that is not recorded does not trend', async () => {
  const language = 'en'
  const remote = async (more: { inReplyTo?: string }) => {
    const accountId = await createRemoteAccount(ctx)
    const id = await createRemoteStatus(ctx, { accountId, language, publishedAt: new Date(), ...more })
    await favourite(id)
    return id
  }
  await remote({ inReplyTo: 'https://gone.test/statuses/1' })
  const original = await remote({})
  await measure()
  assert.deepEqual(await idsOf(), [original])
  await clear()
})

test('VI17 a status leaves the trends at once when it or its author stops being eligible', async () => {
  const unchanged = await postTrend()
  const deleted = await postTrend()
  const edited = await postTrend()
  const undiscoverable = await postTrend()
  const silenced = await postTrend()
  const suspended = await postTrend()
  await measure()
  assert.equal((await list()).length, 6)
  assert.equal((await deleted.author.client.delete(`/api/v1/statuses/${deleted.id}`)).status, 200)
  const edit = { status: 'Everybody likes it', spoiler_text: 'careful' }
  assert.equal((await edited.author.client.put(`/api/v1/statuses/${edited.id}`, edit)).status, 200)
  await undiscoverable.author.client.patch('/api/v1/accounts/update_credentials', { discoverable: false })
  await limit(ctx, silenced.author)
  await suspend(ctx, suspended.author)
  assert.deepEqual(await idsOf(), [unchanged.id])
  await measure()
  assert.deepEqual(await idsOf(), [unchanged.id])
  await clear()
})

test('VI14 trends leave out blocked, muted and blocking accounts and blocked domains, and apply filters', async () => {
  const { id, author } = await postTrend()
  const { rows } = await sql<{ id: string; status: string }>`
    with author as (
      insert into accounts (username, domain, uri, url, discoverable)
      values ('ada', 'sub.remote.test', 'https://sub.remote.test/a', 'https://sub.remote.test/@ada', true) returning id
    ), counted as (insert into account_stats (account_id) select id from author), status as (
      insert into statuses (account_id, uri, url, content, visibility, language, local, created_at)
      select id, 'https://sub.remote.test/1', '', 'far away', 'public', 'en', false, now() from author returning id
    ), favourited as (insert into status_stats (status_id, favourites_count) select id, 9 from status)
    select author.id, status.id as status from author, status`.execute(db)
  const remoteId = rows[0]!.status
  await measure()
  const relate = (from: TestUser, action: string, to: TestUser) =>
    from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
  for (const [from, to, action] of [
    [reader, author, 'block'],
    [reader, author, 'mute'],
    [author, reader, 'block'],
  ] as const) {
    await relate(from, action, to)
    assert.deepEqual(await idsOf(reader.client), [remoteId], action)
    await relate(from, `un${action}`, to)
    assert.deepEqual(await idsOf(reader.client), [remoteId, id])
  }
  await reader.client.post('/api/v1/domain_blocks', { domain: 'remote.test' })
  assert.deepEqual(await idsOf(reader.client), [id])
  assert.deepEqual(await idsOf(), [remoteId, id])
  const keyword = { title: 'all', context: ['public'], keywords_attributes: [{ keyword: 'everybody' }] }
  await reader.client.post('/api/v2/filters', keyword)
  assert.equal((await list(reader.client))[0]?.filtered?.length, 1)
  await clear()
})

test('statuses in the reader’s languages come first: chosen languages, or the language of the client', async () => {
  const { id: german } = await postTrend({ language: 'de' })
  const { id: english } = await postTrend({ language: 'en' }, 6)
  const { id: chinese } = await postTrend({ language: 'zh-CN' }, 7)
  await measure()
  assert.deepEqual(await idsOf(), [english, chinese, german])
  assert.deepEqual(await idsOf(testServer.anonymous, 'zh-TW,de;q=0.8'), [chinese, english, german])
  assert.deepEqual(await idsOf(testServer.anonymous, 'fr'), [chinese, english, german])
  const { headers } = await testServer.anonymous.get(PATH)
  assert.match(String(headers.vary), /Accept-Language/)
  assert.match(String(headers['cache-control']), /^public, max-age=15/)
  await sql`update users set locale = 'de' where id = ${reader.userId}`.execute(db)
  assert.deepEqual(await idsOf(reader.client), [german, chinese, english])
  await sql`update users set chosen_languages = '{en,de}' where id = ${reader.userId}`.execute(db)
  assert.deepEqual(await idsOf(reader.client), [english, german, chinese])
  await clear()
})

test('each author has one trending status, the best; pages have each row once at the same cost', async () => {
  const ids = await createUsers(ctx, { prefix: 'author', count: 45 })
  await sql`update accounts set discoverable = true where id = any(${ids}::bigint[])`.execute(db)
  const { rows } = await sql<{ id: string; n: number }>`
    with created as (
      insert into statuses (account_id, uri, url, content, visibility, language, created_at)
      select x.id, 'https://linnet.test/trend/' || x.id || '/' || n, '', 'words', 'public', 'en', now()
      from unnest(${ids}::bigint[]) x (id), generate_series(1, 2) n returning id, uri
    ), favourited as (
      insert into status_stats (status_id, favourites_count)
      select id, (5 + id % 50) + 100 * right(uri, 1)::int from created)
    select id, right(uri, 1)::int as n from created`.execute(db)
  await measure()
  const strongest = rows.filter(({ n }) => n === 2).map(({ id }) => id)
  const pages = await walkPages(reader.client, `${PATH}?limit=17`)
  assert.deepEqual(
    pages.map((page) => page.length),
    [17, 17, 11],
  )
  assert.deepEqual(pages.flat().toSorted(), strongest.toSorted())
  // The least of three, because a job of the server may change what the cache contains.
  const cost = async (limit: number) => {
    const counts: number[] = []
    for (let n = 0; n < 3; n += 1) counts.push(await countQueries(() => reader.client.get(PATH, { limit })))
    return Math.min(...counts)
  }
  assert.equal(await cost(40), await cost(5))
  await clear()
})

test('BI2 every response has a Link header', async () => {
  for (const query of [{}, { limit: 5 }, { offset: 40 }, { offset: 1e9, limit: -3 }]) {
    const { status, body, headers } = await testServer.anonymous.get(PATH, query)
    assert.deepEqual([status, body], [200, []])
    assert.match(String(headers.link), /^<https:\/\/linnet\.test\/api\/v1\/trends\/statuses\?[^>]+>; rel="prev"$/)
  }
})

test('masto.js reads trending statuses, which the scheduler refreshes', async () => {
  const { id } = await postTrend()
  await ctx.write(async (tx) => tx.emit('clock.five_minutely', {}))
  await testServer.waitForJobs()
  const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: reader.token })
  assert.deepEqual(
    (await masto.v1.trends.statuses.list({ limit: 5 })).map((status) => status.id),
    [id],
  )
})
