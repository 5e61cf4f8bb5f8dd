import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { normalizeHashtag, normalizeHashtagPrefix } from '../../lib/text/entities/normalize-hashtag.ts'
import { tallyTagUses } from './count-tag-uses.ts'

/** Advanced for each request, so that no request is throttled; the day stays the same. */
let now = new Date(new Date().setUTCHours(0, 0, 1, 0))
const testServer = await openTestServer({ effects: false, now: () => now })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const viewer = await testServer.createUser()

const find = async (q: string, more: Record<string, unknown> = {}, user: TestUser = viewer) => {
  now = new Date(now.getTime() + 1_000)
  const { status, body } = await user.client.get('/api/v2/search', { q, type: 'hashtags', ...more })
  assert.equal(status, 200, q)
  assert.deepEqual([body.accounts, body.statuses, body.collections], [[], [], []])
  return body.hashtags.map(({ name }: { name: string }) => name) as string[]
}
const post = async (user: TestUser, status: string, more: object = {}) =>
  assert.equal((await user.client.post('/api/v1/statuses', { status, ...more })).status, 200)

test('hashtags are found by prefix: the exact match first, then by the number of users', async () => {
  const users = await Promise.all(Array.from({ length: 3 }, async () => testServer.createUser()))
  await post(users[0]!, '#art #artist #Artisan #artful #start')
  for (const user of users) await post(user, '#artful')
  for (let n = 0; n < 2; n += 1) await post(users[1]!, '#artist')
  for (let n = 0; n < 9; n += 1) await post(users[0]!, '#artisan')
  assert.deepEqual(await find('art'), ['art', 'artful', 'artist', 'Artisan'])
  assert.deepEqual(await find('#ARTI'), ['artist', 'Artisan'])
  await tallyTagUses(ctx)
  assert.deepEqual(await find('art'), ['art', 'artful', 'artist', 'Artisan'])
  assert.deepEqual(await find('ａｒｔｉ', { limit: 1, offset: 1 }), ['Artisan'])
  assert.deepEqual(await find('artist@linnet.test'), [])
})

test('hashtags that begin with digits or a separator are found by these', async () => {
  await post(viewer, '#100DaysOfCode #_under')
  for (const q of ['1', '#100', '１００', '100d']) assert.deepEqual(await find(q), ['100DaysOfCode'], q)
  assert.deepEqual(await find('_'), ['_under'])
  for (const q of ['2', '#', '%', '#!']) assert.deepEqual(await find(q), [], q)
})

test('VI3 VI17 hashtags without public use and hashtags that moderators made unlisted are not found', async () => {
  const author = await testServer.createUser()
  await post(author, '#confidential', { visibility: 'private' })
  await post(author, '#confidences', { visibility: 'direct' })
  await post(author, '#confined', { local_only: true })
  assert.deepEqual(await find('confi'), [])
  // Users who have used, follow or feature the hashtag find it.
  assert.deepEqual((await find('confi', {}, author)).toSorted(), ['confidences', 'confidential', 'confined'])
  await viewer.client.post('/api/v1/tags/confidential/follow')
  assert.deepEqual(await find('confi'), ['confidential'])
  await viewer.client.post('/api/v1/tags/confidential/unfollow')
  await post(author, '#confidences', { visibility: 'unlisted' })
  assert.deepEqual(await find('confi'), ['confidences'])
  const { body } = await author.client.post('/api/v1/statuses', { status: 'nothing yet' })
  await author.client.put(`/api/v1/statuses/${body.id}`, { status: '#confined' })
  assert.deepEqual((await find('confi')).toSorted(), ['confidences', 'confined'])
  await sql`update tags set listable = false where name = 'confined'`.execute(db)
  assert.deepEqual(await find('confi'), ['confidences'])
  assert.deepEqual(await find('confi', { exclude_unreviewed: true }), [])
  await sql`update tags set reviewed_at = now() where name = 'confidences'`.execute(db)
  assert.deepEqual(await find('confi', { exclude_unreviewed: 'true' }), ['confidences'])
})

test('BI14 a query with any characters finds exactly the hashtags with the prefix, and pages do not overlap', async () => {
  const tags = [
    'p',
    'pa',
    'p_a',
    'p_ab',
    'pxa',
    'pab',
    'Pábc',
    'p・q',
    '猫',
    '猫カフェ',
    '猫_1',
    'ｐａｄ',
    'Пётр',
    'пётр_1',
    '1x',
    '_x',
  ]
  for (const tag of tags) await post(viewer, `#${tag}`)
  const { rows } = await sql<{
    name: string
  }>`select name from tags where recent_users is not null and listable`.execute(db)
  const all = rows.map(({ name }) => name)
  const piece = fc.constantFrom(
    ...'p a P Á _ % \\ * . ・ 猫 カ п Ё b & | ! :* ( ) <-> \' " # x 1 ｐ ; --'.split(' '),
    ' ',
  )
  const query = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 1, max: 4 }), async (q, limit) => {
      if (q.trim() === '') return
      const name = normalizeHashtagPrefix(q.trim().replace(/^#/, ''))
      const expected = name === null ? [] : all.filter((one) => one.startsWith(name))
      const found: string[] = []
      for (let offset = 0; offset <= expected.length; offset += limit) found.push(...(await find(q, { limit, offset })))
      const names = found.map((one) => normalizeHashtag(one)!)
      assert.deepEqual([names.length, names.toSorted()], [expected.length, expected.toSorted()], q)
      if (name !== null && expected.includes(name)) assert.equal(names[0], name)
    }),
    { numRuns: 60 },
  )
})
