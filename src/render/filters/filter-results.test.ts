import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { multipart } from '../../../test/http/client.ts'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { FilterResult } from '../../entities/accounts/filter.ts'
import type { Status } from '../../entities/statuses/status.ts'

/** Difference between the program's clock and that of the database. */
let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx } = testServer

const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account']

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await user.client.post('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200, JSON.stringify(body))
  return body.id
}

async function filter(user: TestUser, keyword: string, more: object = {}): Promise<string> {
  const parameters = { title: keyword, context: ['home'], keywords_attributes: [{ keyword }], ...more }
  const { status, body } = await user.client.post('/api/v2/filters', parameters)
  assert.equal(status, 200)
  return body.id
}

async function see(user: TestUser, id: string): Promise<Status> {
  const { status, body } = await user.client.get(`/api/v1/statuses/${id}`)
  assert.equal(status, 200)
  assertEntity('Status', body)
  return body
}

/** Returns the first matching keyword of each filter by the title of the filter. */
function matchesOf({ filtered }: Pick<Status, 'filtered'>): Record<string, string | null> {
  assert.ok(filtered)
  const first = ({ filter: { title }, keyword_matches }: FilterResult) => [title, keyword_matches?.[0] ?? null] as const
  return Object.fromEntries(filtered.map(first))
}

test('a status has its matching filters of all contexts and actions, with the first matching keyword', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  const id = await post(author, 'A dog and a Cat')
  assert.deepEqual((await see(reader, id)).filtered, [])
  const ids: string[] = []
  for (const [n, action] of ['warn', 'hide', 'blur', 'warn', 'hide'].entries()) {
    const more = { title: `filter ${n}`, context: [CONTEXTS[n]], filter_action: action }
    ids.push(await filter(reader, 'cat', { ...more, keywords_attributes: [{ keyword: 'cat' }, { keyword: 'DOG' }] }))
  }
  await filter(reader, 'bird')
  const entry = await reader.client.post(`/api/v2/filters/${ids[1]}/statuses`, { status_id: id })
  assert.equal(entry.status, 200)
  const { filtered = [] } = await see(reader, id)
  assert.deepEqual(
    filtered.map((result) => result.filter.id),
    ids,
  )
  const { keywords: _, statuses: __, ...shown } = (await reader.client.get(`/api/v2/filters/${ids[1]}`)).body
  assert.deepEqual(filtered[1], { filter: shown, keyword_matches: ['DOG'], status_matches: [id] })
  assert.equal(filtered[0]?.status_matches, null)
  await reader.client.delete(`/api/v2/filters/${ids[0]}`)
  assert.equal((await see(reader, id)).filtered?.length, 4)
  assert.deepEqual((await see(author, id)).filtered, [])
  assert.equal('filtered' in (await testServer.anonymous.get(`/api/v1/statuses/${id}`)).body, false)
})

test('a filter matches a single status without keywords', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  const [one, other] = [await post(author, 'this'), await post(author, 'that')]
  const id = await filter(reader, 'nothing')
  await reader.client.post(`/api/v2/filters/${id}/statuses`, { status_id: one })
  const { filtered = [] } = await see(reader, one)
  assert.deepEqual([filtered[0]?.keyword_matches, filtered[0]?.status_matches], [null, [one]])
  assert.deepEqual((await see(reader, other)).filtered, [])
})

interface Listing {
  descendants?: Status[]
  statuses?: Status[]
}

/** Returns the statuses of a response, including those of notifications. */
function statusesIn(body: Listing | (Status & { status?: Status })[]): Status[] {
  if (Array.isArray(body)) return body.map((entry) => entry.status ?? entry)
  return body.descendants ?? body.statuses ?? []
}

test('all lists of statuses and notifications contain the matching filters', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  await reader.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  await filter(reader, 'cat')
  const readerStatusId = await post(reader, 'Who has pets?')
  const id = await post(
    author,
    `A cat, @${(await reader.client.get('/api/v1/accounts/verify_credentials')).body.acct}`,
    {
      in_reply_to_id: readerStatusId,
    },
  )
  const reblog = (await author.client.post(`/api/v1/statuses/${await post(author, 'cat again')}/reblog`)).body.id
  await post(author, 'dog')
  await reader.client.post(`/api/v1/statuses/${id}/bookmark`)
  await testServer.waitForJobs()
  const authors = `/api/v1/accounts/${author.accountId}/statuses`
  const { url } = await see(reader, id)
  const paths = [
    '/api/v1/timelines/home',
    '/api/v1/timelines/public?local=true',
    authors,
    `/api/v1/statuses?id[]=${id}`,
    `/api/v1/statuses/${readerStatusId}/context`,
    '/api/v1/notifications?types[]=mention',
    `/api/v2/search?type=statuses&resolve=true&q=${encodeURIComponent(url ?? '')}`,
    '/api/v1/bookmarks',
  ]
  for (const path of paths) {
    const { status: code, body } = await reader.client.get(path)
    assert.equal(code, 200, path)
    const found = statusesIn(body)
    assert.ok(found.length > 0, path)
    for (const status of found) {
      const text = status.reblog?.content ?? status.content ?? ''
      assert.deepEqual(matchesOf(status), /\bcat\b/i.test(text) ? { cat: 'cat' } : {}, path)
    }
  }
  assert.ok((await reader.client.get(authors)).body.some((one: Status) => one.id === reblog))
  for (const action of ['favourite', 'reblog', 'unreblog']) {
    const { body } = await reader.client.post(`/api/v1/statuses/${id}/${action}`)
    assert.deepEqual(matchesOf(body), { cat: 'cat' }, action)
  }
})

test('a reblog matches the filters of the original; the viewer’s own statuses never match', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  await filter(reader, 'cat')
  const reblogOf = async (user: TestUser, id: string) =>
    (await user.client.post(`/api/v1/statuses/${id}/reblog`)).body.id as string
  const authorStatusId = await post(author, 'cat')
  for (const reblogger of [author, reader]) {
    const reblog = await see(reader, await reblogOf(reblogger, authorStatusId))
    assert.deepEqual([matchesOf(reblog), matchesOf(reblog.reblog!)], [{ cat: 'cat' }, { cat: 'cat' }])
  }
  const readerStatusId = await post(reader, 'cat')
  const reblog = await see(reader, await reblogOf(author, readerStatusId))
  assert.deepEqual(
    [reblog.filtered, reblog.reblog?.filtered, (await see(reader, readerStatusId)).filtered],
    [[], [], []],
  )
  const whole = (await reader.client.get('/api/v2/filters')).body[0]
  await reader.client.post(`/api/v2/filters/${whole.id}/statuses`, { status_id: reblog.id })
  assert.deepEqual((await see(reader, reblog.id)).filtered, [])
})

test('warning, text, poll and media descriptions are matched, markup and URLs of accounts are not', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  for (const keyword of ['warned', 'said', 'asked', 'shown', 'span', 'href', 'class', 'one two']) {
    await filter(reader, keyword)
  }
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const { payload, headers } = await multipart({
    file: { filename: 'a.png', type: 'image/png', bytes },
    description: 'Shown',
  })
  const { body: media } = await author.client.post('/api/v2/media', payload, headers)
  const pictured = await post(author, 'https://said.example/ one', { spoiler_text: 'Warned', media_ids: [media.id] })
  assert.deepEqual(matchesOf(await see(reader, pictured)), { warned: 'warned', said: 'said', shown: 'shown' })

  const polled = await post(author, 'one')
  await ctx.db
    .insertInto('polls')
    .values({ status_id: polled, account_id: author.accountId, options: ['Asked', 'two'], tallies: [0, 0] })
    .execute()
  assert.deepEqual(matchesOf(await see(reader, polled)), { asked: 'asked' })
})

test('the text of an edited status is matched again', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  await filter(reader, 'cat')
  const id = await post(author, 'cat')
  assert.deepEqual(matchesOf(await see(reader, id)), { cat: 'cat' })
  await author.client.put(`/api/v1/statuses/${id}`, { status: 'dog' })
  assert.deepEqual(matchesOf(await see(reader, id)), {})
  await author.client.put(`/api/v1/statuses/${id}`, { status: 'CAT!' })
  assert.deepEqual(matchesOf(await see(reader, id)), { cat: 'cat' })
})

test('each change of filters takes effect immediately', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  const id = await post(author, 'A cat')
  const path = `/api/v2/filters/${await filter(reader, 'cat')}`
  const keyword = (await reader.client.get(`${path}/keywords`)).body[0].id
  const seen = async () => matchesOf(await see(reader, id))
  assert.deepEqual(await seen(), { cat: 'cat' })
  await reader.client.put(`/api/v2/filters/keywords/${keyword}`, { keyword: 'ca' })
  assert.deepEqual(await seen(), {})
  await reader.client.put(`/api/v2/filters/keywords/${keyword}`, { whole_word: false })
  assert.deepEqual(await seen(), { cat: 'ca' })
  await reader.client.put(path, { title: 'pets' })
  assert.deepEqual(await seen(), { pets: 'ca' })
  await reader.client.delete(`/api/v2/filters/keywords/${keyword}`)
  assert.deepEqual(await seen(), {})
  const old = await reader.client.post('/api/v1/filters', { phrase: 'a', context: ['home'] })
  assert.deepEqual(await seen(), { a: 'a' })
  await reader.client.delete(`/api/v1/filters/${old.body.id}`)
  assert.deepEqual(await seen(), {})
})

test('an expired filter is retained but matches nothing until its expiry is extended', async (t) => {
  t.after(() => (aheadMs = 0))
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  const id = await post(author, 'A cat')
  const made = await filter(reader, 'cat', { expires_in: 3600 })
  assert.deepEqual(matchesOf(await see(reader, id)), { cat: 'cat' })
  // More than an hour ago, it got an expiry of one hour.
  aheadMs = -3_660_000
  const path = `/api/v2/filters/${made}`
  const { body } = await reader.client.put(path, { expires_in: 3600 })
  assert.deepEqual(matchesOf(await see(reader, id)), {})
  assert.deepEqual((await reader.client.get('/api/v2/filters')).body, [body])
  assert.equal((await reader.client.get('/api/v1/filters')).body.length, 1)
  aheadMs = 0
  await reader.client.put(path, { title: 'still' })
  assert.deepEqual(matchesOf(await see(reader, id)), {})
  await reader.client.put(path, { expires_in: 60 })
  assert.deepEqual(matchesOf(await see(reader, id)), { still: 'cat' })
})

test('a page takes as many statements with filters as without, and few more after they have changed', async () => {
  const [author, reader, plain] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  for (const user of [reader, plain]) await user.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  for (let n = 0; n < 20; n += 1) await post(author, `cat ${n}`)
  await testServer.waitForJobs()
  const read = (user: TestUser) => countQueries(() => user.client.get('/api/v1/timelines/home?limit=20'))
  for (const user of [plain, reader]) await read(user)
  const cost = await read(plain)
  assert.equal(await read(reader), cost)
  for (let n = 0; n < 10; n += 1) await filter(reader, 'cat', { title: `filter ${n}` })
  await testServer.waitForJobs()
  // The token, the visible authors, the interactions of the reader, the filters, and once the texts of the statuses.
  assert.equal(await read(reader), cost + 5)
  assert.equal(await read(reader), cost)
  assert.equal((await reader.client.get('/api/v1/timelines/home?limit=20')).body[19].filtered.length, 10)
  await filter(reader, 'cat 1')
  await testServer.waitForJobs()
  assert.equal(await read(reader), cost + 4)
  assert.equal(await read(reader), cost)
})

test('BI16 matching a page of statuses of the maximum length with many keywords takes little time', async () => {
  const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
  const ids: string[] = []
  for (let n = 0; n < 20; n += 1) ids.push(await post(author, `long ${n}`))
  const content = `<p>${'a '.repeat(16_000)}</p>`
  await ctx.db.updateTable('statuses').set({ content, version: 2 }).where('id', 'in', ids).execute()
  const keywords_attributes = Array.from({ length: 120 }, (_, n) => ({
    keyword: `${'a '.repeat(n)}${'a'.repeat(512 - 2 * n)}`,
    whole_word: n % 2 === 0,
  }))
  const id = await filter(reader, 'long', { keywords_attributes })
  await reader.client.post(`/api/v2/filters/${id}/keywords`, { keyword: 'a a' })
  const path = '/api/v1/timelines/public?local=true&limit=20'
  const cpuMs = async () => {
    const before = process.threadCpuUsage()
    const { body } = await reader.client.get(path)
    const { user, system } = process.threadCpuUsage(before)
    assert.ok(body.every((one: Status) => matchesOf(one)['long'] === 'a a'))
    return (user + system) / 1000
  }
  const first = await cpuMs()
  const [second, third] = [await cpuMs(), await cpuMs()]
  // 640,000 characters per page. The first time, their markup is removed as well.
  assert.ok(first < 500, `${first} ms at first`)
  assert.ok(Math.min(second, third) < 100, `${second} and ${third} ms again`)
})
