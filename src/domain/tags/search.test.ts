import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { normalizeTag } from '../../lib/text/normalizeTag.ts'
import { tallyTagUses } from './use.ts'

/** Moved on for each request, so that no throttle is ever reached; the day stays the same. */
let now = new Date(new Date().setUTCHours(0, 0, 1, 0))
const world = await openWorld({ effects: false, now: () => now })
after(world.close)
const { ctx } = world
const { db } = ctx
const viewer = await world.createPerson()

const find = async (q: string, more: Record<string, unknown> = {}, person: Person = viewer) => {
  now = new Date(now.getTime() + 1_000)
  const { status, body } = await person.client.get('/api/v2/search', { q, type: 'hashtags', ...more })
  assert.equal(status, 200, q)
  assert.deepEqual([body.accounts, body.statuses, body.collections], [[], [], []])
  return body.hashtags.map(({ name }: { name: string }) => name) as string[]
}
const post = async (person: Person, status: string, more: object = {}) =>
  assert.equal((await person.client.post('/api/v1/statuses', { status, ...more })).status, 200)

test('hashtags are found by how they begin: the one called so first, then by how many use them', async () => {
  const people = await Promise.all(Array.from({ length: 3 }, async () => world.createPerson()))
  await post(people[0]!, '#art #artist #Artisan #artful #start')
  for (const person of people) await post(person, '#artful')
  for (let n = 0; n < 2; n += 1) await post(people[1]!, '#artist')
  for (let n = 0; n < 9; n += 1) await post(people[0]!, '#artisan')
  assert.deepEqual(await find('art'), ['art', 'artful', 'artist', 'Artisan'])
  assert.deepEqual(await find('#ARTI'), ['artist', 'Artisan'])
  await tallyTagUses(ctx)
  assert.deepEqual(await find('art'), ['art', 'artful', 'artist', 'Artisan'])
  assert.deepEqual(await find('ａｒｔｉ', { limit: 1, offset: 1 }), ['Artisan'])
  assert.deepEqual(await find('artist@linnet.test'), [])
})

test('VI3 VI17 nobody finds a hashtag by what was not for everybody, nor one that the staff took from the list', async () => {
  const author = await world.createPerson()
  await post(author, '#confidential', { visibility: 'private' })
  await post(author, '#confidences', { visibility: 'direct' })
  await post(author, '#confined', { local_only: true })
  assert.deepEqual(await find('confi'), [])
  // Those who know it find it: who wrote it, and who follows or features it.
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

test('BI14 a query finds exactly the hashtags that begin so, whatever characters it has, and pages do not repeat', async () => {
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
      const name = normalizeTag(q.trim().replace(/^#/, ''))
      const expected = name === null ? [] : all.filter((one) => one.startsWith(name))
      const found: string[] = []
      for (let offset = 0; offset <= expected.length; offset += limit) found.push(...(await find(q, { limit, offset })))
      const names = found.map((one) => normalizeTag(one)!)
      assert.deepEqual([names.length, names.toSorted()], [expected.length, expected.toSorted()], q)
      if (name !== null && expected.includes(name)) assert.equal(names[0], name)
    }),
    { numRuns: 60 },
  )
})
