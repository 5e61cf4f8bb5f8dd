import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { untilLockWaits } from '../../../test/features/lock-waits.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false, env: { DB_POOL: '6' } })
after(testServer.close)

/** Runs the effects of all requests so far, which wait until then. */
async function runEffects(): Promise<void> {
  const { connection } = testServer
  const worker = await openTestServer({ database: { connection, drop: async () => {} } })
  await worker.waitForJobs()
  await worker.close()
}

async function openExclusiveList(): Promise<{ owner: TestUser; member: TestUser; list: string; post: string }> {
  const [owner, member] = [await testServer.createUser(), await testServer.createUser()]
  await owner.client.post(`/api/v1/accounts/${member.accountId}/follow`)
  const list = (await owner.client.post('/api/v1/lists', { title: 'A list', exclusive: true })).body.id
  const added = await owner.client.post(`/api/v1/lists/${list}/accounts`, { account_ids: [member.accountId] })
  const post = (await member.client.post('/api/v1/statuses', { status: 'Hello' })).body.id
  await runEffects()
  assert.equal(added.status, 200)
  assert.deepEqual(await home(owner), [])
  return { owner, member, list, post }
}

async function home({ client }: TestUser): Promise<string[]> {
  return (await client.get('/api/v1/timelines/home')).body.map(({ id }: { id: string }) => id)
}

test('a member who leaves a list directly after it stopped being exclusive returns to the home feed', async () => {
  const { owner, member, list, post } = await openExclusiveList()
  await owner.client.put(`/api/v1/lists/${list}`, { exclusive: false })
  const path = `/api/v1/lists/${list}/accounts`
  assert.equal((await owner.client.delete(path, { account_ids: [member.accountId] })).status, 200)
  await runEffects()
  assert.deepEqual(await home(owner), [post])
})

test('so do the members of a list that is deleted directly after it stopped being exclusive', async () => {
  const { owner, list, post } = await openExclusiveList()
  await owner.client.put(`/api/v1/lists/${list}`, { exclusive: false })
  assert.equal((await owner.client.delete(`/api/v1/lists/${list}`)).status, 200)
  await runEffects()
  assert.deepEqual(await home(owner), [post])
})

test('a member whose follow request is accepted while an exclusive list is deleted comes to the home feed', async () => {
  const [owner, member] = [await testServer.createUser(), await testServer.createUser()]
  await member.client.patch('/api/v1/accounts/update_credentials', { locked: true })
  await owner.client.post(`/api/v1/accounts/${member.accountId}/follow`)
  const list = (await owner.client.post('/api/v1/lists', { title: 'A list', exclusive: true })).body.id
  await owner.client.post(`/api/v1/lists/${list}/accounts`, { account_ids: [member.accountId] })
  const post = (await member.client.post('/api/v1/statuses', { status: 'Hello' })).body.id
  const holder = new pg.Client(testServer.connection)
  await holder.connect()
  try {
    // The deletion of the row waits, when the members have been read.
    await holder.query('begin')
    await holder.query('select from lists where id = $1 for key share', [list])
    const deleting = owner.client.delete(`/api/v1/lists/${list}`)
    await untilLockWaits(testServer, 1)
    const accepting = member.client.post(`/api/v1/follow_requests/${owner.accountId}/authorize`)
    await untilLockWaits(testServer, 2)
    await holder.query('rollback')
    assert.deepEqual([(await deleting).status, (await accepting).status], [200, 200])
  } finally {
    await holder.end()
  }
  await runEffects()
  assert.deepEqual(await home(owner), [post])
})
