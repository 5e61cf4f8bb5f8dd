import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
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
