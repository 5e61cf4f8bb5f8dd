import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import type { Client } from '../../../../test/client.ts'
import { countQueries } from '../../../../test/count-queries.ts'
import { createCrowd } from '../../../../test/create-crowd.ts'
import { ENOUGH, openTrending } from '../../../../test/trending.ts'
import { walkPages } from '../../../../test/walk.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import { approveTrend, rejectTrend } from '../../../domain/trends/judge.ts'
import type { Status } from '../../../entities/status.ts'

/** Statuses are of the moment that the database knows; so far ahead are those who look. */
let aheadMs = 0
const world = await openWorld({ now: () => new Date(Date.now() + aheadMs) })
after(world.close)
const { ctx } = world
const { db } = ctx
const trending = await openTrending(world)
const { createFindable, favourite, measure, post, set } = trending
const reader = await world.createPerson()

const PATH = '/api/v1/trends/statuses'
const list = async (client: Client = world.anonymous, language = 'en') => {
  // So no throttle is ever reached.
  aheadMs += 1_000
  const headers = { 'accept-language': language }
  const { status, body } = await client.send<Status[]>({ method: 'GET', url: PATH, headers })
  assert.equal(status, 200)
  return body
}
const idsOf = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ id }) => id)

/** A status that trends, of somebody new. */
async function postTrend(more: object = {}, likes = ENOUGH): Promise<{ id: string; author: Person }> {
  const author = await createFindable()
  const id = await post(author, 'Everybody likes it', more)
  await favourite(id, likes)
  return { id, author }
}
async function clear(): Promise<void> {
  await sql`update statuses set deleted_at = now() where deleted_at is null`.execute(db)
  await measure()
}

test('VI17 what many like is shown once the staff lets it, and as soon as the owner wants no review', async () => {
  const { id } = await postTrend()
  const { id: other } = await postTrend()
  assert.deepEqual(await idsOf(), [])
  await measure()
  assert.deepEqual(await idsOf(), [])
  await ctx.write((tx) => approveTrend(tx, { kind: 'status', id }))
  assert.deepEqual(await idsOf(), [id])
  await set('trends-unreviewed', 'on')
  assert.deepEqual(await idsOf(), [other, id])
  await ctx.write((tx) => rejectTrend(tx, { kind: 'status', id }))
  assert.deepEqual(await idsOf(), [other])
  for (const status of await list(reader.client)) assertOnWire('Status', status)
  await set('trends', 'off')
  assert.deepEqual(await idsOf(), [])
  await set('trends', 'on')
  await clear()
})

test('those with most favourites and boosts are first, and the older they are the less these count', async () => {
  const { id: old } = await postTrend({}, 8)
  const { id: less } = await postTrend({}, 5)
  const { id: most } = await postTrend({}, 4)
  const { id: few } = await postTrend({}, 4)
  for (const { client } of trending.people.slice(0, 2)) {
    assert.equal((await client.post(`/api/v1/statuses/${most}/reblog`)).status, 200)
  }
  await sql`update statuses set created_at = created_at - interval '2 hours' where id = ${old}`.execute(db)
  await measure()
  assert.deepEqual(await idsOf(), [most, less, old])
  // Of 7² there is less than 0.3 after 7.4 hours, of 4² after 5.8, of 5² after 6.4.
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

test('VI17 nothing trends that is not for everybody, behind a warning, an answer, or of somebody who is not to be shown', async () => {
  const { id: root, author } = await postTrend()
  for (const more of [
    { visibility: 'unlisted' },
    { visibility: 'private' },
    { local_only: true },
    { spoiler_text: 'careful' },
    { sensitive: true },
    { in_reply_to_id: root },
  ]) {
    const person = await createFindable()
    const id = await post(person, 'no', more)
    for (const { client } of trending.people) await client.post(`/api/v1/statuses/${id}/favourite`)
    await sql`update status_stats set favourites_count = 9 where status_id = ${id}`.execute(db)
    await sql`insert into status_stats (status_id, favourites_count) values (${id}, 9) on conflict do nothing`.execute(
      db,
    )
  }
  await favourite(await post(reader, 'not to be discovered'))
  await sql`update statuses set language = null where id = ${(await postTrend()).id}`.execute(db)
  await sql`update accounts set silenced_at = now() where id = ${(await postTrend()).author.accountId}`.execute(db)
  await measure()
  for (const client of [world.anonymous, reader.client, author.client]) assert.deepEqual(await idsOf(client), [root])
  await clear()
})

test('VI17 what changes is gone at once, not when trends are measured the next time', async () => {
  const shown = await postTrend()
  const deleted = await postTrend()
  const edited = await postTrend()
  const shy = await postTrend()
  const silenced = await postTrend()
  const suspended = await postTrend()
  await measure()
  assert.equal((await list()).length, 6)
  assert.equal((await deleted.author.client.delete(`/api/v1/statuses/${deleted.id}`)).status, 200)
  const edit = { status: 'Everybody likes it', spoiler_text: 'careful' }
  assert.equal((await edited.author.client.put(`/api/v1/statuses/${edited.id}`, edit)).status, 200)
  await shy.author.client.patch('/api/v1/accounts/update_credentials', { discoverable: false })
  await sql`update accounts set silenced_at = now() where id = ${silenced.author.accountId}`.execute(db)
  await sql`update accounts set suspended_at = now() where id = ${suspended.author.accountId}`.execute(db)
  assert.deepEqual(await idsOf(), [shown.id])
  await measure()
  assert.deepEqual(await idsOf(), [shown.id])
  await clear()
})

test('VI14 nobody is shown those whom they block or mute, whose domain they block, or who block them; filters are told', async () => {
  const { id, author } = await postTrend()
  const { rows } = await sql<{ id: string; status: string }>`
    with person as (
      insert into accounts (username, domain, uri, url, discoverable)
      values ('far', 'sub.far.test', 'https://sub.far.test/far', 'https://sub.far.test/@far', true) returning id
    ), counted as (insert into account_stats (account_id) select id from person), status as (
      insert into statuses (account_id, uri, url, content, visibility, language, local, created_at)
      select id, 'https://sub.far.test/1', '', 'far away', 'public', 'en', false, now() from person returning id
    ), liked as (insert into status_stats (status_id, favourites_count) select id, 9 from status)
    select person.id, status.id as status from person, status`.execute(db)
  const far = rows[0]!.status
  await measure()
  const relate = (from: Person, action: string, to: Person) =>
    from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
  for (const [from, to, action] of [
    [reader, author, 'block'],
    [reader, author, 'mute'],
    [author, reader, 'block'],
  ] as const) {
    await relate(from, action, to)
    assert.deepEqual(await idsOf(reader.client), [far], action)
    await relate(from, `un${action}`, to)
    assert.deepEqual(await idsOf(reader.client), [far, id])
  }
  await reader.client.post('/api/v1/domain_blocks', { domain: 'far.test' })
  assert.deepEqual(await idsOf(reader.client), [id])
  assert.deepEqual(await idsOf(), [far, id])
  const keyword = { title: 'all', context: ['public'], keywords_attributes: [{ keyword: 'everybody' }] }
  await reader.client.post('/api/v2/filters', keyword)
  assert.equal((await list(reader.client))[0]?.filtered?.length, 1)
  await clear()
})

test('first comes what the reader understands: languages that they chose, or that of their client', async () => {
  const { id: german } = await postTrend({ language: 'de' })
  const { id: english } = await postTrend({ language: 'en' }, 6)
  const { id: chinese } = await postTrend({ language: 'zh-CN' }, 7)
  await measure()
  assert.deepEqual(await idsOf(), [english, chinese, german])
  assert.deepEqual(await idsOf(world.anonymous, 'zh-TW,de;q=0.8'), [chinese, english, german])
  assert.deepEqual(await idsOf(world.anonymous, 'fr'), [chinese, english, german])
  const { headers } = await world.anonymous.get(PATH)
  assert.match(String(headers.vary), /Accept-Language/)
  assert.match(String(headers['cache-control']), /^public, max-age=15/)
  await sql`update users set locale = 'de' where id = ${reader.userId}`.execute(db)
  assert.deepEqual(await idsOf(reader.client), [german, chinese, english])
  await sql`update users set chosen_languages = '{en,de}' where id = ${reader.userId}`.execute(db)
  assert.deepEqual(await idsOf(reader.client), [english, german, chinese])
  await clear()
})

test('each author has one status there, the strongest; pages by offset have every row once at the same cost', async () => {
  const ids = await createCrowd(ctx, { prefix: 'author', count: 45 })
  await sql`update accounts set discoverable = true where id = any(${ids}::bigint[])`.execute(db)
  const { rows } = await sql<{ id: string; n: number }>`
    with made as (
      insert into statuses (account_id, uri, url, content, visibility, language, created_at)
      select x.id, 'https://linnet.test/trend/' || x.id || '/' || n, '', 'words', 'public', 'en', now()
      from unnest(${ids}::bigint[]) x (id), generate_series(1, 2) n returning id, uri
    ), liked as (
      insert into status_stats (status_id, favourites_count)
      select id, (5 + id % 50) + 100 * right(uri, 1)::int from made)
    select id, right(uri, 1)::int as n from made`.execute(db)
  await measure()
  const strongest = rows.filter(({ n }) => n === 2).map(({ id }) => id)
  const walked = await walkPages(reader.client, `${PATH}?limit=17`)
  assert.deepEqual(
    walked.map((page) => page.length),
    [17, 17, 11],
  )
  assert.deepEqual(walked.flat().toSorted(), strongest.toSorted())
  const cost = (limit: number) => countQueries(() => reader.client.get(PATH, { limit }))
  await cost(40)
  assert.equal(await cost(40), await cost(5))
  await clear()
})

test('BI2 there is a Link header whatever is found', async () => {
  for (const query of [{}, { limit: 5 }, { offset: 40 }, { offset: 1e9, limit: -3 }]) {
    const { status, body, headers } = await world.anonymous.get(PATH, query)
    assert.deepEqual([status, body], [200, []])
    assert.match(String(headers.link), /^<https:\/\/linnet\.test\/api\/v1\/trends\/statuses\?[^>]+>; rel="prev"$/)
  }
})

test('masto.js reads it, and the clock has it measured', async () => {
  const { id } = await postTrend()
  await ctx.write(async (tx) => tx.emit('clock.five_minutely', {}))
  await world.settle()
  const masto = createRestAPIClient({ url: await world.listen(), accessToken: reader.token })
  assert.deepEqual(
    (await masto.v1.trends.statuses.list({ limit: 5 })).map((status) => status.id),
    [id],
  )
})
