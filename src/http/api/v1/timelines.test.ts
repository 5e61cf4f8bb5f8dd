import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../test/count-queries.ts'
import { walkPages } from '../../../../test/walk.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import { ROLE_IDS } from '../../../domain/accounts/insert-person.ts'
import { changeSetting, resetSetting } from '../../../domain/instance/settings.ts'
import { writeSetting } from '../../../domain/settings.ts'
import type { Status } from '../../../entities/status.ts'

const world = await openWorld()
after(world.close)

async function postMany(person: Person, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const { body } = await person.client.post<Status>('/api/v1/statuses', { status: `number ${i}` })
    ids.unshift(body.id)
  }
  return ids
}

test('walking the pages of the home timeline meets every status once, in both directions', async () => {
  const alice = await world.createPerson()
  const ids = await postMany(alice, 13)
  await world.settle()
  const down = await walkPages(alice.client, '/api/v1/timelines/home?limit=5', 'next')
  assert.deepEqual(down, [ids.slice(0, 5), ids.slice(5, 10), ids.slice(10)])
  const up = await walkPages(alice.client, `/api/v1/timelines/home?limit=5&min_id=${ids.at(-1)}`, 'prev')
  assert.deepEqual(up.toReversed().flat(), ids.slice(0, -1))
  const since = await alice.client.get<Status[]>(`/api/v1/timelines/home?limit=5&since_id=${ids.at(-1)}`)
  assert.deepEqual(
    since.body.map(({ id }) => id),
    ids.slice(0, 5),
  )
})

test('BI2 limits and cursors of any kind give a page, and its links stay valid', async () => {
  const alice = await world.createPerson()
  await postMany(alice, 3)
  await world.settle()
  const sizes: [string, number][] = [
    ['limit=-2', 2],
    ['limit=0', 0],
    ['limit=1000000000', 3],
    ['limit=2x', 2],
    ['limit=x', 0],
    ['limit[]=', 3],
    ['max_id=abc&min_id=-1&since_id=1e400', 3],
    [`max_id=9223372036854775808`, 3],
    [`min_id=1&max_id=2`, 0],
    ['max_id=%00', 3],
  ]
  for (const [query, count] of sizes) {
    const answer = await alice.client.get<Status[]>(`/api/v1/timelines/home?${query}`)
    assert.deepEqual([query, answer.status, answer.body.length], [query, 200, count])
    for (const [, url] of String(answer.headers.link ?? '').matchAll(/<([^>]+)>/g)) assert.ok(URL.canParse(url!))
  }
})

test('VI17 the public timeline has public statuses and their own threads, no boosts, no answers to others, and nobody who is limited', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const [silenced, suspended] = [await world.createPerson(), await world.createPerson()]
  const [root] = await postMany(alice, 1)
  const { body: thread } = await alice.client.post<Status>('/api/v1/statuses', { status: 'more', in_reply_to_id: root })
  await bob.client.post('/api/v1/statuses', { status: 'answer', in_reply_to_id: root })
  await bob.client.post(`/api/v1/statuses/${root}/reblog`)
  for (const visibility of ['unlisted', 'private', 'direct']) {
    await alice.client.post('/api/v1/statuses', { status: visibility, visibility })
  }
  for (const [person, column] of [
    [silenced, 'silenced_at'],
    [suspended, 'suspended_at'],
  ] as const) {
    await postMany(person, 1)
    await world.ctx.db
      .updateTable('accounts')
      .set({ [column]: new Date() })
      .where('id', '=', person.accountId)
      .execute()
  }
  const seen = await world.anonymous.get<Status[]>('/api/v1/timelines/public?local=true&limit=40')
  const people = [alice, bob, silenced, suspended].map(({ accountId }) => accountId)
  const ours = seen.body.filter(({ account }) => people.includes(account.id))
  assert.deepEqual(
    ours.map(({ id }) => id),
    [thread.id, root],
  )
  assert.equal(seen.headers['cache-control'], 'public, max-age=15, stale-while-revalidate=30')
  const own = await alice.client.get('/api/v1/timelines/public')
  assert.equal(own.headers['cache-control'], 'private, no-store')
  assert.deepEqual((await alice.client.get('/api/v1/timelines/public?remote=true')).body, [])
  assert.match(String(seen.headers.link ?? ''), /local=true/)
})

test('whoever chose languages finds these in the public timeline, and what says none', async () => {
  const [author, reader] = [await world.createPerson(), await world.createPerson()]
  const ids: string[] = []
  for (const language of ['en', 'de', 'pt-BR', null]) {
    const { body } = await author.client.post<Status>('/api/v1/statuses', { status: 'Oi', language: language ?? 'en' })
    await world.ctx.db.updateTable('statuses').set({ language }).where('id', '=', body.id).execute()
    ids.unshift(body.id)
  }
  const [unknown, portuguese, german] = ids
  const read = async (languages: string[] | null) => {
    const user = world.ctx.db.updateTable('users').where('id', '=', reader.userId)
    await user.set({ chosen_languages: languages }).execute()
    const { body } = await reader.client.get<Status[]>('/api/v1/timelines/public?limit=40')
    return body.map(({ id }) => id).filter((id) => ids.includes(id))
  }
  assert.deepEqual(await read(['de', 'pt']), [unknown, portuguese, german])
  assert.deepEqual(await read(['fr']), [unknown])
  for (const none of [[], null]) assert.deepEqual(await read(none), ids)
})

test('a second boost of what stands near in a feed is left out of it', async () => {
  const people = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const [author, first, second] = people
  const reader = await world.createPerson()
  for (const person of [first!, second!]) {
    await world.ctx.write(({ db }) =>
      db.insertInto('follows').values({ account_id: reader.accountId, target_account_id: person.accountId }).execute(),
    )
  }
  const [id] = await postMany(author!, 1)
  const boost = await first!.client.post<Status>(`/api/v1/statuses/${id}/reblog`)
  await world.settle()
  await second!.client.post(`/api/v1/statuses/${id}/reblog`)
  await world.settle()
  const home = await reader.client.get<Status[]>('/api/v1/timelines/home')
  assert.deepEqual(
    home.body.map((status) => status.id),
    [boost.body.id],
  )
})

test('a page costs the same few statements whatever it holds, and fewer when its renderings are known', async () => {
  const quiet = await openWorld({ effects: false })
  try {
    const author = await quiet.createPerson()
    for (let i = 0; i < 40; i += 1) {
      await author.client.post('/api/v1/statuses', { status: `@person1 #tag${i} https://example.org/${i}` })
    }
    const page = (limit: number) => countQueries(() => author.client.get(`/api/v1/timelines/public?limit=${limit}`))
    const first = await page(2)
    const large = await page(40)
    const known = await page(40)
    assert.ok(first <= 6, `${first} statements`)
    assert.ok(large <= first, `${large} statements for 40, ${first} for 2`)
    // What has changed since, and which statuses.
    assert.equal(known, 2)
  } finally {
    await quiet.close()
  }
})

test('who may read a public timeline is what the owner chose last, and what their role lets them', async () => {
  const { client: alice, userId } = await world.createPerson()
  const read = async (client = world.anonymous) => {
    const { status, body } = await client.get<Status[]>('/api/v1/timelines/public?local=true')
    return status === 200 ? body.length > 0 : status
  }
  const choose = (text: string) => world.ctx.write((tx) => changeSetting(tx, { name: 'timelines-local-live', text }))
  assert.deepEqual([await read(), await read(alice)], [true, true])
  await choose('authenticated')
  assert.deepEqual([await read(), await read(alice)], [422, true])
  await choose('disabled')
  assert.deepEqual([await read(), await read(alice)], [422, false])
  const moderator = ROLE_IDS.moderator
  await world.ctx.db.updateTable('users').set({ role_id: moderator }).where('id', '=', userId).execute()
  assert.equal(await read(alice), true)
  const { permissions } = await world.ctx.db
    .selectFrom('roles')
    .select('permissions')
    .where('id', '=', moderator)
    .executeTakeFirstOrThrow()
  const setRights = (rights: string) =>
    world.ctx.db.updateTable('roles').set({ permissions: rights }).where('id', '=', moderator).execute()
  await setRights('0')
  assert.equal(await read(alice), false)
  await setRights(permissions)
  assert.equal(await read(alice), true)
  await world.ctx.write((tx) => resetSetting(tx, { name: 'timelines-local-live' }))
  assert.deepEqual([await read(), await read(alice)], [true, true])
})

test('what parts of the program note for themselves leaves nothing to be asked anew', async () => {
  const { client } = await world.createPerson()
  const read = () => client.get('/api/v1/accounts/verify_credentials')
  // The first use of a token is noted down, which is a change of it.
  for (let n = 0; n < 2; n += 1) await read()
  await world.ctx.write((tx) => writeSetting(tx, { name: 'clock:clock.minutely', value: 1 }))
  assert.equal(await countQueries(read), 1)
  await world.ctx.write((tx) => changeSetting(tx, { name: 'title', text: 'Another' }))
  assert.ok((await countQueries(read)) > 1)
})
