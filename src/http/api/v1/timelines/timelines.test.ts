import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { limit, suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { ROLE_IDS } from '../../../../domain/accounts/registration/insert-local-account.ts'
import { changeSetting, resetSetting } from '../../../../domain/instance/instance-settings.ts'
import { writeSetting } from '../../../../domain/core/settings-store.ts'
import type { Status } from '../../../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)

async function postMany(user: TestUser, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const { body } = await user.client.post<Status>('/api/v1/statuses', { status: `number ${i}` })
    ids.unshift(body.id)
  }
  return ids
}

test('the pages of the home timeline have every status once, in both directions', async () => {
  const alice = await testServer.createUser()
  const ids = await postMany(alice, 13)
  await testServer.waitForJobs()
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

test('min_id wins over since_id', async () => {
  const alice = await testServer.createUser()
  const [oldest, ...newer] = (await postMany(alice, 4)).toReversed()
  await testServer.waitForJobs()
  const query = `limit=2&min_id=${oldest}&since_id=${newer[1]}`
  const { body } = await alice.client.get<Status[]>(`/api/v1/timelines/home?${query}`)
  assert.deepEqual(
    body.map(({ id }) => id),
    [newer[1], newer[0]],
  )
})

test('BI2 every limit and cursor returns a page with valid links', async () => {
  const alice = await testServer.createUser()
  await postMany(alice, 3)
  await testServer.waitForJobs()
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
    const response = await alice.client.get<Status[]>(`/api/v1/timelines/home?${query}`)
    assert.deepEqual([query, response.status, response.body.length], [query, 200, count])
    for (const [, url] of String(response.headers.link ?? '').matchAll(/<([^>]+)>/g)) assert.ok(URL.canParse(url!))
  }
})

test('VI17 the public timeline has public statuses and self-replies of accounts that are not limited', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const [silenced, suspended] = [await testServer.createUser(), await testServer.createUser()]
  const [root] = await postMany(alice, 1)
  const { body: thread } = await alice.client.post<Status>('/api/v1/statuses', { status: 'more', in_reply_to_id: root })
  await bob.client.post('/api/v1/statuses', { status: 'reply', in_reply_to_id: root })
  await bob.client.post(`/api/v1/statuses/${root}/reblog`)
  for (const visibility of ['unlisted', 'private', 'direct']) {
    await alice.client.post('/api/v1/statuses', { status: visibility, visibility })
  }
  for (const author of [silenced, suspended]) await postMany(author, 1)
  await limit(testServer.ctx, silenced)
  await suspend(testServer.ctx, suspended)
  const timeline = await testServer.anonymous.get<Status[]>('/api/v1/timelines/public?local=true&limit=40')
  const accountIds = [alice, bob, silenced, suspended].map(({ accountId }) => accountId)
  const statuses = timeline.body.filter(({ account }) => accountIds.includes(account.id))
  assert.deepEqual(
    statuses.map(({ id }) => id),
    [thread.id, root],
  )
  assert.equal(timeline.headers['cache-control'], 'public, max-age=15, stale-while-revalidate=30')
  const own = await alice.client.get('/api/v1/timelines/public')
  assert.equal(own.headers['cache-control'], 'private, no-store')
  assert.deepEqual((await alice.client.get('/api/v1/timelines/public?remote=true')).body, [])
  assert.match(String(timeline.headers.link ?? ''), /local=true/)
})

test('the public timeline has the viewer’s chosen languages and statuses without a language', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  const ids: string[] = []
  for (const language of ['en', 'de', 'pt-BR', null]) {
    const { body } = await author.client.post<Status>('/api/v1/statuses', { status: 'Oi', language: language ?? 'en' })
    await testServer.ctx.db.updateTable('statuses').set({ language }).where('id', '=', body.id).execute()
    ids.unshift(body.id)
  }
  const [withoutLanguage, portuguese, german] = ids
  const read = async (languages: string[] | null) => {
    const user = testServer.ctx.db.updateTable('users').where('id', '=', reader.userId)
    await user.set({ chosen_languages: languages }).execute()
    const { body } = await reader.client.get<Status[]>('/api/v1/timelines/public?limit=40')
    return body.map(({ id }) => id).filter((id) => ids.includes(id))
  }
  assert.deepEqual(await read(['de', 'pt']), [withoutLanguage, portuguese, german])
  assert.deepEqual(await read(['fr']), [withoutLanguage])
  for (const none of [[], null]) assert.deepEqual(await read(none), ids)
})

test('a feed leaves out a second boost of a status that is near its top', async () => {
  const users = [await testServer.createUser(), await testServer.createUser(), await testServer.createUser()]
  const [author, first, second] = users
  const reader = await testServer.createUser()
  for (const reblogger of [first!, second!]) {
    await testServer.ctx.write(({ db }) =>
      db
        .insertInto('follows')
        .values({ account_id: reader.accountId, target_account_id: reblogger.accountId })
        .execute(),
    )
  }
  const [id] = await postMany(author!, 1)
  const reblog = await first!.client.post<Status>(`/api/v1/statuses/${id}/reblog`)
  await testServer.waitForJobs()
  await second!.client.post(`/api/v1/statuses/${id}/reblog`)
  await testServer.waitForJobs()
  const home = await reader.client.get<Status[]>('/api/v1/timelines/home')
  assert.deepEqual(
    home.body.map((status) => status.id),
    [reblog.body.id],
  )
})

test('every page size runs the same few SQL statements, and fewer with cached fragments', async () => {
  const ownServer = await openTestServer({ effects: false })
  try {
    const author = await ownServer.createUser()
    for (let i = 0; i < 40; i += 1) {
      await author.client.post('/api/v1/statuses', { status: `@person1 #tag${i} https://example.org/${i}` })
    }
    const page = (limit: number) => countQueries(() => author.client.get(`/api/v1/timelines/public?limit=${limit}`))
    const first = await page(2)
    const large = await page(40)
    const cached = await page(40)
    assert.ok(first <= 6, `${first} statements`)
    assert.ok(large <= first, `${large} statements for 40, ${first} for 2`)
    // The check for invalidations and the list of ids.
    assert.equal(cached, 2)
  } finally {
    await ownServer.close()
  }
})

test('access to a public timeline follows the current setting and the permissions of the role', async () => {
  const { client: alice, userId } = await testServer.createUser()
  const read = async (client = testServer.anonymous) => {
    const { status, body } = await client.get<Status[]>('/api/v1/timelines/public?local=true')
    return status === 200 ? body.length > 0 : status
  }
  const setAccess = (text: string) =>
    testServer.ctx.write((tx) => changeSetting(tx, { by: null, name: 'timelines-local-live', text }))
  assert.deepEqual([await read(), await read(alice)], [true, true])
  await setAccess('authenticated')
  assert.deepEqual([await read(), await read(alice)], [422, true])
  await setAccess('disabled')
  assert.deepEqual([await read(), await read(alice)], [422, false])
  const moderator = ROLE_IDS.moderator
  await testServer.ctx.db.updateTable('users').set({ role_id: moderator }).where('id', '=', userId).execute()
  assert.equal(await read(alice), true)
  const { permissions } = await testServer.ctx.db
    .selectFrom('roles')
    .select('permissions')
    .where('id', '=', moderator)
    .executeTakeFirstOrThrow()
  const setPermissions = (value: string) =>
    testServer.ctx.db.updateTable('roles').set({ permissions: value }).where('id', '=', moderator).execute()
  await setPermissions('0')
  assert.equal(await read(alice), false)
  await setPermissions(permissions)
  assert.equal(await read(alice), true)
  await testServer.ctx.write((tx) => resetSetting(tx, { by: null, name: 'timelines-local-live' }))
  assert.deepEqual([await read(), await read(alice)], [true, true])
})

test('an internal setting does not invalidate caches, an administrator’s setting does', async () => {
  const { client } = await testServer.createUser()
  const read = () => client.get('/api/v1/accounts/verify_credentials')
  // The first use of a token is recorded, which invalidates its cache entry.
  for (let n = 0; n < 2; n += 1) await read()
  await testServer.ctx.write((tx) => writeSetting(tx, { name: 'clock:clock.minutely', value: 1 }))
  assert.equal(await countQueries(read), 1)
  await testServer.ctx.write((tx) => changeSetting(tx, { by: null, name: 'title', text: 'Another' }))
  assert.ok((await countQueries(read)) > 1)
})
