import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import type { Client } from '../../../../../test/http/client.ts'
import { ENOUGH_ACCOUNTS, openTrendServer } from '../../../../../test/features/trends.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import { approveTrend, rejectTrend } from '../../../../domain/trends/review-trend.ts'
import type { Tag } from '../../../../entities/statuses/tag.ts'

const HOUR_MS = 3_600_000
let aheadMs = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const { users, post, measure, set } = await openTrendServer(testServer)

const PATH = '/api/v1/trends/tags'
const list = async (client: Client = testServer.anonymous, path = PATH) => {
  aheadMs += 1_000
  const { status, body } = await client.get<Tag[]>(path)
  assert.equal(status, 200)
  return body
}
const namesOf = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ name }) => name)
/** Lets the first `count` users post a hashtag now. */
async function use(name: string, count = ENOUGH_ACCOUNTS): Promise<void> {
  for (const user of users.slice(0, count)) await post(user, `#${name}`)
}
const idOf = async (name: string) =>
  (await db.selectFrom('tags').select('id').where('name', '=', name.toLowerCase()).executeTakeFirstOrThrow()).id
const review = async (operation: typeof approveTrend, name: string) => {
  const id = await idOf(name)
  await ctx.write((tx) => operation(tx, { kind: 'tag', id, by: null }))
}
async function clear(): Promise<void> {
  await sql`delete from trending_tags`.execute(db)
  await sql`delete from tag_uses`.execute(db)
}

test('VI17 a hashtag that many users post trends once staff approve it, with its history', async () => {
  await use('Blossom', 6)
  await post(users[0]!, '#blossom again')
  await use('Storm', 5)
  await use('Quiet', 4)
  await measure()
  assert.deepEqual(await namesOf(), [])
  await review(approveTrend, 'Storm')
  assert.deepEqual(await namesOf(), ['Storm'])
  await review(approveTrend, 'Blossom')
  assert.deepEqual(await namesOf(), ['Blossom', 'Storm'])
  await review(rejectTrend, 'Storm')
  assert.deepEqual(await namesOf(), ['Blossom'])
  await set('trends-unreviewed', 'on')
  assert.deepEqual(await namesOf(), ['Blossom'])
  const [tag] = await list(users[0]!.client)
  assertEntity('Tag', tag)
  assert.deepEqual([tag!.following, tag!.history.length], [false, 7])
  assert.deepEqual([tag!.history[0]!.accounts, tag!.history[0]!.uses], ['6', '7'])
  assert.equal(Number(tag!.history[0]!.day) % 86_400, 0)
  assert.deepEqual(
    tag!.history.slice(1).map(({ uses }) => uses),
    Array.from({ length: 6 }, () => '0'),
  )
  await clear()
})

test('VI17 an unlisted or unusable hashtag does not trend, nor one without public posts', async () => {
  for (const name of ['listed', 'unlisted', 'unusable']) await use(name)
  for (const [n, author] of users.slice(0, ENOUGH_ACCOUNTS).entries()) {
    const visibility = ['unlisted', 'private', 'direct'][n % 3]
    await post(author, '#whispered', n === 0 ? { local_only: true } : { visibility })
  }
  await measure()
  assert.deepEqual((await namesOf()).toSorted(), ['listed', 'unlisted', 'unusable'])
  await sql`update tags set listable = false where name = 'unlisted'`.execute(db)
  await sql`update tags set usable = false where name = 'unusable'`.execute(db)
  assert.deepEqual(await namesOf(), ['listed'])
  await set('trends', 'off')
  assert.deepEqual(await namesOf(), [])
  const { headers } = await testServer.anonymous.get(PATH)
  assert.match(String(headers.link), /rel="prev"/)
  await set('trends', 'on')
  await clear()
})

test('the score of a trend halves every four hours; an ended trend returns only with a higher score', async () => {
  await sql`insert into tags (name, display_name) values ('fading', 'fading')`.execute(db)
  const tagId = await idOf('fading')
  const start = new Date().setUTCHours(0, 0, 0, 0) + 3 * 86_400_000
  const at = async (hours: number, count: number) => {
    aheadMs = start + hours * HOUR_MS - Date.now()
    await sql`insert into tag_uses (tag_id, day, account_id)
      select ${tagId}, (${ctx.now()}::timestamptz at time zone 'UTC')::date, id::bigint
      from unnest(${users.slice(0, count).map((user) => user.accountId)}::text[]) id on conflict do nothing`.execute(db)
    await measure()
    return namesOf()
  }
  // 6 accounts after none score 25. The score falls to 1 after 18.6 hours.
  assert.deepEqual(await at(2, 6), ['fading'])
  assert.deepEqual(await at(20, 0), ['fading'])
  assert.deepEqual(await at(21, 0), [])
  // On the next day, 8 accounts after 6 score less than 1, and 10 after 6 less than 25.
  assert.deepEqual(await at(26, 8), [])
  assert.deepEqual(await at(27, 10), [])
  // Use of two days ago no longer counts: 10 accounts after none score 81.
  assert.deepEqual(await at(24 * 4, 10), ['fading'])
  aheadMs = 0
  await clear()
})

test('search with exclude_unreviewed leaves out hashtags that staff have not reviewed', async () => {
  await use('reviewing')
  const find = async (query: object) =>
    (await users[0]!.client.get('/api/v2/search', { q: 'reviewi', type: 'hashtags', ...query })).body.hashtags.length
  assert.deepEqual([await find({}), await find({ exclude_unreviewed: true })], [1, 0])
  await review(rejectTrend, 'reviewing')
  assert.equal(await find({ exclude_unreviewed: true }), 1)
})

test('the list has its deprecated path too, with a Deprecation header', async () => {
  await use('old')
  await measure()
  assert.deepEqual(
    await namesOf(testServer.anonymous, '/api/v1/trends?limit=1'),
    await namesOf(testServer.anonymous, `${PATH}?limit=1`),
  )
  const { headers, body } = await testServer.anonymous.get('/api/v1/trends')
  assert.equal(headers.deprecation, '@1648598400')
  assert.ok(body.length > 0)
  assert.equal((await testServer.anonymous.get(PATH)).headers.deprecation, undefined)
})

test('the landing page shows trending hashtags if their timelines are public', async () => {
  const isNamed = async () => {
    const { body } = await testServer.anonymous.send<string>({
      method: 'GET',
      url: '/',
      headers: { accept: 'text/html' },
    })
    return body.includes('<a href="https://linnet.test/tags/old">')
  }
  assert.equal(await isNamed(), true)
  await set('timelines-local-topic', 'authenticated')
  assert.equal(await isNamed(), false)
  await set('timelines-local-topic', 'public')
  await review(rejectTrend, 'old')
  assert.equal(await isNamed(), false)
  await review(approveTrend, 'old')
})

test('masto.js reads trending hashtags', async () => {
  const masto = createRestAPIClient({ url: await testServer.listen() })
  const tags = await masto.v1.trends.tags.list({ limit: 20 })
  assert.ok(tags.some(({ name, history }) => name === 'old' && history?.[0]?.accounts === '5'))
})
