import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import type { Client } from '../../../../test/client.ts'
import { ENOUGH, openTrending } from '../../../../test/trending.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import { approveTrend, rejectTrend } from '../../../domain/trends/judge.ts'
import type { Tag } from '../../../entities/tag.ts'

const HOUR_MS = 3_600_000
let aheadMs = 0
const world = await openWorld({ effects: false, now: () => new Date(Date.now() + aheadMs) })
after(world.close)
const { ctx } = world
const { db } = ctx
const { people, post, measure, set } = await openTrending(world)

const PATH = '/api/v1/trends/tags'
const list = async (client: Client = world.anonymous, path = PATH) => {
  aheadMs += 1_000
  const { status, body } = await client.get<Tag[]>(path)
  assert.equal(status, 200)
  return body
}
const namesOf = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ name }) => name)
/** Has so many people, the first of all, use a hashtag now. */
async function use(name: string, count = ENOUGH): Promise<void> {
  for (const person of people.slice(0, count)) await post(person, `#${name}`)
}
const idOf = async (name: string) =>
  (await db.selectFrom('tags').select('id').where('name', '=', name.toLowerCase()).executeTakeFirstOrThrow()).id
const judge = async (verb: typeof approveTrend, name: string) => {
  const id = await idOf(name)
  await ctx.write((tx) => verb(tx, { kind: 'tag', id }))
}
async function clear(): Promise<void> {
  await sql`delete from trending_tags`.execute(db)
  await sql`delete from tag_uses`.execute(db)
}

test('VI17 a hashtag that many use is shown once the staff lets it, with its true history', async () => {
  await use('Blossom', 6)
  await post(people[0]!, '#blossom again')
  await use('Storm', 5)
  await use('Quiet', 4)
  await measure()
  assert.deepEqual(await namesOf(), [])
  await judge(approveTrend, 'Storm')
  assert.deepEqual(await namesOf(), ['Storm'])
  await judge(approveTrend, 'Blossom')
  assert.deepEqual(await namesOf(), ['Blossom', 'Storm'])
  await judge(rejectTrend, 'Storm')
  assert.deepEqual(await namesOf(), ['Blossom'])
  await set('trends-unreviewed', 'on')
  assert.deepEqual(await namesOf(), ['Blossom'])
  const [tag] = await list(people[0]!.client)
  assertOnWire('Tag', tag)
  assert.deepEqual([tag!.following, tag!.history.length], [false, 7])
  assert.deepEqual([tag!.history[0]!.accounts, tag!.history[0]!.uses], ['6', '7'])
  assert.equal(Number(tag!.history[0]!.day) % 86_400, 0)
  assert.deepEqual(
    tag!.history.slice(1).map(({ uses }) => uses),
    Array.from({ length: 6 }, () => '0'),
  )
  await clear()
})

test('VI17 what the staff took from the list or out of use does not trend, nor what was not posted for everybody', async () => {
  for (const name of ['listed', 'unlisted', 'unusable']) await use(name)
  for (const [n, person] of people.slice(0, ENOUGH).entries()) {
    const visibility = ['unlisted', 'private', 'direct'][n % 3]
    await post(person, '#whispered', n === 0 ? { local_only: true } : { visibility })
  }
  await measure()
  assert.deepEqual((await namesOf()).toSorted(), ['listed', 'unlisted', 'unusable'])
  await sql`update tags set listable = false where name = 'unlisted'`.execute(db)
  await sql`update tags set usable = false where name = 'unusable'`.execute(db)
  assert.deepEqual(await namesOf(), ['listed'])
  await set('trends', 'off')
  assert.deepEqual(await namesOf(), [])
  const { headers } = await world.anonymous.get(PATH)
  assert.match(String(headers.link), /rel="prev"/)
  await set('trends', 'on')
  await clear()
})

test('a trend fades by half every four hours, and one that is over does not come back by less', async () => {
  await sql`insert into tags (name, display_name) values ('fading', 'fading')`.execute(db)
  const tagId = await idOf('fading')
  const start = new Date().setUTCHours(0, 0, 0, 0) + 3 * 86_400_000
  const at = async (hours: number, count: number) => {
    aheadMs = start + hours * HOUR_MS - Date.now()
    await sql`insert into tag_uses (tag_id, day, account_id)
      select ${tagId}, (${ctx.now()}::timestamptz at time zone 'UTC')::date, id::bigint
      from unnest(${people.slice(0, count).map((one) => one.accountId)}::text[]) id on conflict do nothing`.execute(db)
    await measure()
    return namesOf()
  }
  // 6 people and none before: 25. Of it there is 1 after 18.6 hours.
  assert.deepEqual(await at(2, 6), ['fading'])
  assert.deepEqual(await at(20, 0), ['fading'])
  assert.deepEqual(await at(21, 0), [])
  // On the next day 8 against 6 are less than 1, and 10 against 6 less than 25.
  assert.deepEqual(await at(26, 8), [])
  assert.deepEqual(await at(27, 10), [])
  // What was two days ago is forgotten, and 10 against none are 81.
  assert.deepEqual(await at(24 * 4, 10), ['fading'])
  aheadMs = 0
  await clear()
})

test('search leaves out what nobody reviewed when it is asked to', async () => {
  await use('reviewing')
  const find = async (query: object) =>
    (await people[0]!.client.get('/api/v2/search', { q: 'reviewi', type: 'hashtags', ...query })).body.hashtags.length
  assert.deepEqual([await find({}), await find({ exclude_unreviewed: true })], [1, 0])
  await judge(rejectTrend, 'reviewing')
  assert.equal(await find({ exclude_unreviewed: true }), 1)
})

test('the list is there under its old name, which says that it is out of date', async () => {
  await use('old')
  await measure()
  assert.deepEqual(
    await namesOf(world.anonymous, '/api/v1/trends?limit=1'),
    await namesOf(world.anonymous, `${PATH}?limit=1`),
  )
  const { headers, body } = await world.anonymous.get('/api/v1/trends')
  assert.equal(headers.deprecation, '@1648598400')
  assert.ok(body.length > 0)
  assert.equal((await world.anonymous.get(PATH)).headers.deprecation, undefined)
})

test('the front page names what trends, where its posts are for everybody', async () => {
  const isNamed = async () => {
    const { body } = await world.anonymous.send<string>({ method: 'GET', url: '/', headers: { accept: 'text/html' } })
    return body.includes('<a href="https://linnet.test/tags/old">')
  }
  assert.equal(await isNamed(), true)
  await set('timelines-local-topic', 'authenticated')
  assert.equal(await isNamed(), false)
  await set('timelines-local-topic', 'public')
  await judge(rejectTrend, 'old')
  assert.equal(await isNamed(), false)
  await judge(approveTrend, 'old')
})

test('masto.js reads it', async () => {
  const masto = createRestAPIClient({ url: await world.listen() })
  const tags = await masto.v1.trends.tags.list({ limit: 20 })
  assert.ok(tags.some(({ name, history }) => name === 'old' && history?.[0]?.accounts === '5'))
})
