import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { disable, suspend, unsuspend } from './features/moderation.ts'
import { createClient } from './http/client.ts'
import { openTestServer } from './servers/test-server.ts'
import { ROLE_IDS } from '../src/domain/accounts/registration/insert-local-account.ts'

const first = await openTestServer()
const { connection } = first
const second = await openTestServer({ database: { connection, drop: async () => {} }, effects: false })
after(async () => {
  await second.close()
  await first.close()
})

/** Creates a user whose requests go to the second server, while changes are made on the first one. */
async function createUserOfBoth(options: Parameters<typeof first.createUser>[0] = {}) {
  const user = await first.createUser(options)
  return { ...user, onSecond: createClient(second.server, { token: user.token }) }
}

test('CA2 a block ends what another process has cached for the blocked user, at the next request', async () => {
  const [author, reader] = [await createUserOfBoth(), await createUserOfBoth()]
  await reader.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  const { body: post } = await author.client.post('/api/v1/statuses', { status: 'Hello' })
  await first.waitForJobs()
  const path = `/api/v1/statuses/${post.id}`
  for (let count = 0; count < 2; count += 1) {
    assert.equal((await reader.onSecond.get(path)).status, 200)
    assert.deepEqual(
      (await reader.onSecond.get('/api/v1/timelines/home')).body.map(({ id }: { id: string }) => id),
      [post.id],
    )
  }
  await author.client.post(`/api/v1/accounts/${reader.accountId}/block`)
  assert.equal((await reader.onSecond.get(path)).status, 404)
  assert.deepEqual((await reader.onSecond.get('/api/v1/timelines/home')).body, [])
  const { body } = await reader.onSecond.get(`/api/v1/accounts/relationships?id[]=${author.accountId}`)
  assert.deepEqual([body[0].following, body[0].blocked_by], [false, true])
  await author.client.post(`/api/v1/accounts/${reader.accountId}/unblock`)
  assert.equal((await reader.onSecond.get(path)).status, 200)
})

test('CA2 so does a suspension, for readers and for the user', async () => {
  const [author, reader] = [await createUserOfBoth(), await createUserOfBoth()]
  const { body: post } = await author.client.post('/api/v1/statuses', { status: 'Hello' })
  const path = `/api/v1/statuses/${post.id}`
  const home = '/api/v1/timelines/home'
  assert.equal((await reader.onSecond.get(path)).status, 200)
  assert.equal((await author.onSecond.get(home)).status, 200)
  await suspend(first.ctx, author)
  assert.equal((await reader.onSecond.get(path)).status, 404)
  assert.equal((await author.onSecond.get(home)).status, 403)
  await unsuspend(first.ctx, author)
  assert.equal((await reader.onSecond.get(path)).status, 200)
  assert.equal((await author.onSecond.get(home)).status, 200)
  await disable(first.ctx, author)
  assert.equal((await author.onSecond.get(home)).status, 403)
})

test('CA2 so does a change of the role', async () => {
  const owner = await createUserOfBoth({ role: 'owner', scopes: 'admin:read admin:write' })
  const staff = await createUserOfBoth({ role: 'moderator', scopes: 'admin:read' })
  const setRole = async (roleId: string) => {
    const path = `/api/v1/admin/accounts/${staff.accountId}/role`
    assert.equal((await owner.client.put(path, { role_id: roleId })).status, 200)
  }
  const list = async () => (await staff.onSecond.get('/api/v1/admin/reports')).status
  assert.equal(await list(), 200)
  await setRole(ROLE_IDS.user)
  assert.equal(await list(), 403)
  await setRole(ROLE_IDS.moderator)
  assert.equal(await list(), 200)
})
