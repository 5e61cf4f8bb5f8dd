import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { listenAs, eventsReceived } from '../../../test/streaming/record-events.ts'
import { openStreamingServer } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
const { ctx } = testServer
const { origin, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})

async function users(n: number): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: n }, async () => testServer.createUser()))
}

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await user.client.post('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200)
  return body.id
}

async function act(user: TestUser, action: string, other: TestUser, options: object = {}): Promise<void> {
  const { status } = await user.client.post(`/api/v1/accounts/${other.accountId}/${action}`, options)
  assert.equal(status, 200)
}

test('ST3: a deletion is sent to the accounts that could see the status', async () => {
  const [author, follower, mentioned, muter, blocker, unrelated] = (await users(6)) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ]
  for (const user of [follower, muter]) await act(user, 'follow', author)
  const publicId = await post(author, `@${mentioned.username} hello`)
  const privateId = await post(author, 'inside', { visibility: 'private' })
  await act(muter, 'mute', author)
  await act(blocker, 'block', author)
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, {
    users: { author, follower, mentioned, muter, blocker, unrelated },
    streams: ['user'],
  })
  await author.client.delete(`/api/v1/statuses/${publicId}`)
  const deleted = [`user delete ${publicId}`]
  const none = { muter: [], blocker: [], unrelated: [] }
  assert.deepEqual(await eventsReceived(testServer, sockets), {
    author: deleted,
    follower: deleted,
    mentioned: deleted,
    ...none,
  })
  await author.client.delete(`/api/v1/statuses/${privateId}`)
  const privateDeleted = [`user delete ${privateId}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), {
    author: privateDeleted,
    follower: privateDeleted,
    mentioned: [],
    ...none,
  })
})

test('the deletion of a reblog, also with its original, is sent to the followers of the reblogger', async () => {
  const [author, reblogger, follower, blocker, unrelated] = (await users(5)) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ]
  for (const user of [follower, blocker]) await act(user, 'follow', reblogger)
  await act(blocker, 'block', author)
  const id = await post(author, 'a song')
  const { body: first } = await reblogger.client.post(`/api/v1/statuses/${id}/reblog`)
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { reblogger, follower, blocker, unrelated }, streams: ['user'] })
  await reblogger.client.post(`/api/v1/statuses/${id}/unreblog`)
  const deleted = [`user delete ${first.id}`]
  const none = { blocker: [], unrelated: [] }
  assert.deepEqual(await eventsReceived(testServer, sockets), { reblogger: deleted, follower: deleted, ...none })

  const { body: second } = await reblogger.client.post(`/api/v1/statuses/${id}/reblog`)
  await eventsReceived(testServer, sockets)
  await author.client.delete(`/api/v1/statuses/${id}`)
  const both = [`user delete ${second.id}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), { reblogger: both, follower: both, ...none })
})
