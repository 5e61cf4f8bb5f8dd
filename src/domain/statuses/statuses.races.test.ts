// Slow: sends many requests in parallel.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { compareIds, timeOfStatusId } from '../../lib/ids.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)

const CONCURRENCY = 50

const inParallel = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CONCURRENCY }, (_, n) => work(n)))

async function post(user: TestUser, body: object): Promise<string> {
  return (await user.client.post('/api/v1/statuses', body)).body.id
}

test('BI10 50 parallel requests with one idempotency key and different texts create one status', async () => {
  const alice = await testServer.createUser()
  const responses = await inParallel((n) =>
    alice.client.post('/api/v1/statuses', { status: `try ${n % 2}` }, { 'idempotency-key': 'k-1' }),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  assert.equal(new Set(responses.map(({ body }) => body.id)).size, 1)
  const other = await testServer.createUser()
  const otherResponse = await other.client.post('/api/v1/statuses', { status: 'mine' }, { 'idempotency-key': 'k-1' })
  assert.notEqual(otherResponse.body.id, responses[0]!.body.id)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from statuses where account_id = ${alice.accountId}`.execute(testServer.ctx.db)
  assert.equal(rows[0]!.count, 1)
})

test('BI10 parallel requests with one idempotency key share their result, also with uploads and schedules', async () => {
  const alice = await testServer.createUser()
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${alice.accountId}, 'image', 'media/c.png', 'media/d.png', 'image/png', 1, '{}') returning id`.execute(
    testServer.ctx.db,
  )
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
  for (const [key, bodyOf] of [
    ['upload', () => ({ status: 'picture', media_ids: [rows[0]!.id] })],
    ['schedule', (n: number) => ({ status: 'now or later', ...(n % 2 === 0 && { scheduled_at }) })],
  ] as const) {
    const responses = await inParallel((n) =>
      alice.client.post('/api/v1/statuses', bodyOf(n), { 'idempotency-key': key }),
    )
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
    assert.equal(new Set(responses.map(({ body }) => body.id)).size, 1, key)
  }
})

test('BI17 counters are exact after 50 users favourite and reblog a status in parallel and some of them undo it', async () => {
  const author = await testServer.createUser()
  const id = await post(author, { status: 'popular' })
  const users = await Promise.all(Array.from({ length: CONCURRENCY }, () => testServer.createUser()))
  const interact = async ({ client }: TestUser, action: string, undo: boolean) => {
    const response = await client.post(`/api/v1/statuses/${id}/${action}`)
    return undo ? [response, await client.post(`/api/v1/statuses/${id}/un${action}`)] : [response]
  }
  const responses = (
    await Promise.all(
      users.flatMap((user, n) => [interact(user, 'favourite', n % 3 === 0), interact(user, 'reblog', n % 4 === 0)]),
    )
  ).flat()
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  const { rows } = await sql<{ favourites: number; reblogs: number }>`
    select (select count(*)::int from favourites where status_id = ${id}) as favourites,
      (select count(*)::int from statuses where reblog_of_id = ${id}) as reblogs`.execute(testServer.ctx.db)
  const { body } = await author.client.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([body.favourites_count, body.reblogs_count], [rows[0]!.favourites, rows[0]!.reblogs])
})

test('BI17 50 parallel favourites and reblogs by the same user count once', async () => {
  const [author, fan] = [await testServer.createUser(), await testServer.createUser()]
  const id = await post(author, { status: 'x' })
  const favourites = await inParallel(() => fan.client.post(`/api/v1/statuses/${id}/favourite`))
  const reblogs = await inParallel(() => fan.client.post(`/api/v1/statuses/${id}/reblog`))
  assert.deepEqual([...new Set([...favourites, ...reblogs].map(({ status }) => status))], [200])
  assert.equal(new Set(reblogs.map(({ body }) => body.id)).size, 1)
  const { body } = await author.client.get(`/api/v1/statuses/${id}`)
  assert.deepEqual([body.favourites_count, body.reblogs_count], [1, 1])
})

test('FP8 deleting a status during its fan-out and while others favourite, bookmark, reblog and reply leaves no orphans', async () => {
  const author = await testServer.createUser()
  const users = await Promise.all(Array.from({ length: 10 }, () => testServer.createUser()))
  for (const { client } of users) await client.post(`/api/v1/accounts/${author.accountId}/follow`)
  for (let round = 0; round < 5; round += 1) {
    const id = await post(author, { status: 'here and gone' })
    const responses = await Promise.all([
      ...users.flatMap(({ client }) => [
        client.post(`/api/v1/statuses/${id}/favourite`),
        client.post(`/api/v1/statuses/${id}/bookmark`),
        client.post(`/api/v1/statuses/${id}/reblog`),
        client.post('/api/v1/statuses', { status: 'answer', in_reply_to_id: id }),
      ]),
      author.client.delete(`/api/v1/statuses/${id}`),
    ])
    assert.ok(
      responses.every(({ status }) => status === 200 || status === 404),
      JSON.stringify(responses.map((a) => a.status)),
    )
  }
  await testServer.waitForJobs()
  for (const { client } of users) {
    for (const list of ['timelines/home', 'favourites', 'bookmarks', 'notifications']) {
      const { status, body } = await client.get(`/api/v1/${list}`)
      assert.equal(status, 200)
      for (const one of body) assert.ok(one.content !== '<p>here and gone</p>' && one.status !== null, list)
    }
  }
  const { rows } = await sql<{ feeds: number; wrong: number }>`
    select (select count(*)::int from feed_entries e where not exists (select from statuses s where s.id = e.status_id)) as feeds,
      (select count(*)::int from account_stats st where st.statuses_count <> (
        select count(*) from statuses s where s.account_id = st.account_id and s.visibility <> 'direct')) as wrong`.execute(
    testServer.ctx.db,
  )
  assert.deepEqual(rows[0], { feeds: 0, wrong: 0 })
  const orphans = await sql<{ count: number }>`
    select count(*)::int as count from statuses b left join statuses o on o.id = b.reblog_of_id
    where b.reblog_of_id is not null and o.id is null`.execute(testServer.ctx.db)
  assert.equal(orphans.rows[0]!.count, 0)
})

test('ME7 only one of several parallel statuses can attach an upload; another user’s upload cannot be attached', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${alice.accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(
    testServer.ctx.db,
  )
  const media_ids = [rows[0]!.id]
  const stolen = await bob.client.post('/api/v1/statuses', { status: 'x', media_ids })
  assert.deepEqual(
    [stolen.status, stolen.body.error],
    [422, `Media ${media_ids[0]} not found or already attached to another post`],
  )
  const responses = await inParallel(() => alice.client.post('/api/v1/statuses', { status: 'pic', media_ids }))
  assert.equal(responses.filter(({ status }) => status === 200).length, 1)
  assert.ok(responses.every(({ status }) => status === 200 || status === 422))
  assert.equal((await alice.client.get(`/api/v1/media/${media_ids[0]}`)).status, 404)
})

test('FP10 ids are unique and increase: 70,000 in one millisecond, after the clock steps back, and in parallel', async () => {
  const { db } = testServer.ctx
  const at = String(Date.now() + 60_000)
  const generated = await sql<{ id: string }>`
    select next_status_id(${at}::bigint) as id from generate_series(1, 70000)`.execute(db)
  const ids = generated.rows.map(({ id }) => id)
  assert.equal(new Set(ids).size, 70_000)
  assert.ok(ids.every((id, n) => n === 0 || compareIds(ids[n - 1]!, id) < 0))
  assert.equal(timeOfStatusId(ids[0]!).getTime(), Number(at))
  // One millisecond has 65,536 ids; the rest has the timestamp of the next millisecond.
  assert.equal(timeOfStatusId(ids.at(-1)!).getTime(), Number(at) + 1)
  const earlier = await sql<{
    id: string
  }>`select next_status_id(${String(Number(at) - 3_600_000)}::bigint) as id`.execute(db)
  assert.ok(compareIds(ids.at(-1)!, earlier.rows[0]!.id) < 0)
  const batches = await inParallel(() =>
    sql<{ id: string }>`select next_status_id() as id from generate_series(1, 20)`.execute(db),
  )
  const all = batches.flatMap(({ rows }) => rows.map(({ id }) => id))
  assert.equal(new Set(all).size, CONCURRENCY * 20)
})
