import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../test/command-line.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { Status } from '../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const linnet = await openCommandLine(testServer)
const [reader, author, absent] = [
  await testServer.createUser({ username: 'reader' }),
  await testServer.createUser(),
  await testServer.createUser({ username: 'absent' }),
]
await reader.client.post(`/api/v1/accounts/${author.accountId}/follow`)
const list = (await reader.client.post('/api/v1/lists', { title: 'Birds' })).body
await reader.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [author.accountId] })
const { body: post } = await author.client.post<Status>('/api/v1/statuses', { status: 'A heron' })
await testServer.waitForJobs()
await db
  .updateTable('users')
  .set({ last_seen_at: new Date('2020-01-01') })
  .where('id', '=', absent.userId)
  .execute()

async function storedEntries(): Promise<number> {
  const home = await db.selectFrom('feed_entries').selectAll().execute()
  return home.length + (await db.selectFrom('list_entries').selectAll().execute()).length
}

async function read(path: string): Promise<string[]> {
  const { status, body } = await reader.client.get<Status[]>(path)
  assert.equal(status, 200)
  return body.map(({ id }) => id)
}

test('feeds clear empties all feeds, and each is rebuilt when its user reads it', async () => {
  const before = await storedEntries()
  assert.ok(before > 0)
  assert.deepEqual(await linnet.lines('feeds', 'clear', '--dry-run'), ['Would empty the feeds of 3 users'])
  assert.equal(await storedEntries(), before)
  assert.deepEqual(await linnet.json('feeds', 'clear'), { dry_run: false, users: 3 })
  assert.equal(await storedEntries(), 0)
  assert.deepEqual(await read('/api/v1/timelines/home'), [post.id])
  assert.deepEqual(await read(`/api/v1/timelines/list/${list.id}`), [post.id])
})

test('feeds build rebuilds the feeds of a user without entries that do not belong there', async () => {
  const { body: other } = await absent.client.post<Status>('/api/v1/statuses', { status: 'Not followed' })
  await testServer.waitForJobs()
  await db
    .insertInto('feed_entries')
    .values({ account_id: reader.accountId, status_id: other.id, original_id: other.id })
    .execute()
  assert.deepEqual(await linnet.lines('feeds', 'build', 'reader', '--dry-run'), ['Would rebuild the feeds of 1 user'])
  assert.deepEqual(await linnet.lines('feeds', 'build', 'Reader'), ['Rebuilding the feeds of 1 user'])
  await testServer.waitForJobs()
  const stored = await db
    .selectFrom('feed_entries')
    .select('status_id')
    .where('account_id', '=', reader.accountId)
    .execute()
  assert.deepEqual(
    stored.map((entry) => entry.status_id),
    [post.id],
  )
  assert.deepEqual(await read('/api/v1/timelines/home'), [post.id])
})

test('feeds build without a name, or with --all, rebuilds those of active users', async () => {
  await db
    .updateTable('users')
    .set({ last_seen_at: new Date('2020-01-01') })
    .where('id', '=', absent.userId)
    .execute()
  assert.deepEqual(await linnet.json('feeds', 'build', '--all'), { dry_run: false, users: 2 })
  await testServer.waitForJobs()
  assert.deepEqual(await read(`/api/v1/timelines/list/${list.id}`), [post.id])
  assert.deepEqual(await linnet.json('feeds', 'build', '--dry-run'), { dry_run: true, users: 2 })
  assert.deepEqual(await linnet.json('feeds', 'build'), { dry_run: false, users: 2 })
  await testServer.waitForJobs()
  assert.deepEqual(await read('/api/v1/timelines/home'), [post.id])
  assert.match(await linnet.error('feeds', 'build', 'reader', '--all'), /^Specify/)
  assert.equal(await linnet.error('feeds', 'build', 'nobody'), 'No local account is named nobody')
})

test('feeds build --skip-filled-timelines keeps the posts of timelines that are more than half full', async () => {
  const homeOf = async ({ accountId }: { accountId: string }) => {
    const entries = await db.selectFrom('feed_entries').selectAll().where('account_id', '=', accountId).execute()
    return entries.length
  }
  const fill = async (length: number) => {
    const ids = Array.from({ length: length - (await homeOf(reader)) }, (_, index) => String(1_000 + index))
    const rows = ids.map((id) => ({ account_id: reader.accountId, status_id: id, original_id: id }))
    await db.insertInto('feed_entries').values(rows).execute()
  }
  const build = () => linnet.json('feeds', 'build', '--skip-filled-timelines')
  await fill(401)
  await db.deleteFrom('list_entries').execute()
  assert.deepEqual(await build(), { dry_run: false, users: 2 })
  await testServer.waitForJobs()
  assert.equal(await homeOf(reader), 401)
  assert.deepEqual(await read(`/api/v1/timelines/list/${list.id}`), [post.id])

  await reader.client.delete(`/api/v1/lists/${list.id}`)
  await testServer.waitForJobs()
  assert.deepEqual(await build(), { dry_run: false, users: 1 })
  await testServer.waitForJobs()
  assert.equal(await homeOf(reader), 401)

  await db
    .deleteFrom('feed_entries')
    .where('account_id', '=', reader.accountId)
    .where('status_id', '=', '1000')
    .execute()
  assert.deepEqual(await build(), { dry_run: false, users: 2 })
  await testServer.waitForJobs()
  assert.equal(await homeOf(reader), 1)
})
