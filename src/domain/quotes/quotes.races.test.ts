// Slow: sends many requests in parallel.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countDeadlocks } from '../../../test/features/lock-waits.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { deleteAccount } from '../account-deletion/delete-account.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)

const CONCURRENCY = 50

const users = await Promise.all(Array.from({ length: 10 }, async () => testServer.createUser()))
const userOf = (n: number): TestUser => users[n % users.length]!

async function post(user: TestUser, body: object = {}): Promise<string> {
  return (await user.client.post('/api/v1/statuses', { status: 'words', ...body })).body.id
}

/** Returns the quote counter of a status, and the number of its accepted quotes. */
async function countsOf(id: string): Promise<[number, number]> {
  const { rows } = await sql<{ counted: number; existing: number }>`
    select coalesce((select quotes_count from status_stats where status_id = ${id}), 0) as counted,
      (select count(*)::int from quotes where quoted_status_id = ${id} and state = 'accepted') as existing`.execute(
    testServer.ctx.db,
  )
  return [rows[0]!.counted, rows[0]!.existing]
}

const statusesOf = (responses: readonly { status: number }[]) =>
  [...new Set(responses.map(({ status }) => status))].toSorted((a, b) => a - b)

test('BI17 the counter is exact after 50 parallel quotes, of which some are revoked and deleted', async () => {
  const author = await testServer.createUser()
  const id = await post(author)
  const responses = await Promise.all(
    Array.from({ length: CONCURRENCY }, async (_, n) => {
      const { client } = userOf(n)
      const created = await client.post('/api/v1/statuses', { status: 'look', quoted_status_id: id })
      const quotingId = created.body.id
      const revoke = () => author.client.post(`/api/v1/statuses/${id}/quotes/${quotingId}/revoke`)
      const remove = () => client.delete(`/api/v1/statuses/${quotingId}`)
      if (n % 5 === 0) return [created, ...(await Promise.all([revoke(), revoke()]))]
      if (n % 5 === 1) return [created, await remove()]
      // Whichever request is processed first, the counter is decremented once.
      if (n % 5 === 2)
        return [created, ...(await Promise.all([revoke(), remove()])).filter(({ status }) => status !== 404)]
      return [created]
    }),
  )
  assert.deepEqual(statusesOf(responses.flat()), [200])
  assert.deepEqual(await countsOf(id), [CONCURRENCY * (2 / 5), CONCURRENCY * (2 / 5)])
})

test('BI17 deleting a status while other users quote it causes no errors and leaves no accepted quotes', async () => {
  for (let round = 0; round < 5; round += 1) {
    const author = await testServer.createUser()
    const id = await post(author)
    const before = await Promise.all(users.map((user) => post(user, { quoted_status_id: id, in_reply_to_id: id })))
    const responses = await Promise.all([
      ...users.map(({ client }) => client.post('/api/v1/statuses', { status: 'look', quoted_status_id: id })),
      ...before.map((quotingId, n) => userOf(n).client.delete(`/api/v1/statuses/${quotingId}`)),
      author.client.delete(`/api/v1/statuses/${id}`),
    ])
    assert.ok(statusesOf(responses).every((status) => status === 200 || status === 404))
    const { rows } = await sql<{ state: string }>`
      select q.state from quotes q where q.quoted_uri like ${`%/statuses/${id}`}`.execute(testServer.ctx.db)
    assert.ok(rows.every(({ state }) => state === 'deleted'))
  }
})

test('BI17 parallel statuses that reply to one status and quote another are all created', async () => {
  const [first, other] = [await post(userOf(0)), await post(userOf(1))]
  const responses = await Promise.all(
    Array.from({ length: CONCURRENCY }, (_, n) => {
      const [quoted, parent] = n % 2 === 0 ? [first, other] : [other, first]
      const body = { status: 'look', quoted_status_id: quoted, in_reply_to_id: parent }
      return userOf(n).client.post('/api/v1/statuses', body)
    }),
  )
  assert.deepEqual(statusesOf(responses), [200])
  for (const id of [first, other]) assert.deepEqual(await countsOf(id), [CONCURRENCY / 2, CONCURRENCY / 2])
})

test('BI17 none of the requests above caused a deadlock', async () => {
  assert.equal(await countDeadlocks(testServer.ctx.db), 0)
})

test('deleting an account removes its quotes from all counters, and quotes of its statuses become deleted', async () => {
  const [deletedUser, other] = [await testServer.createUser(), await testServer.createUser()]
  const [ownStatusId, deletedStatusId] = [await post(other), await post(deletedUser)]
  await post(deletedUser, { quoted_status_id: ownStatusId })
  const quoting = await post(other, { quoted_status_id: deletedStatusId })
  assert.deepEqual(await countsOf(ownStatusId), [1, 1])
  await testServer.ctx.write((tx) => deleteAccount(tx, { accountId: deletedUser.accountId }))
  await testServer.waitForJobs()
  assert.deepEqual(await countsOf(ownStatusId), [0, 0])
  const { body } = await other.client.get(`/api/v1/statuses/${quoting}`)
  assert.deepEqual(body.quote, { state: 'deleted', quoted_status: null })
})
