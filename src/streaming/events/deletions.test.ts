import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { listenAs, eventsReceived } from '../../../test/streaming/record-events.ts'
import { openStreamingServer } from '../../../test/streaming/streams.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { PUBLIC } from '../../../test/federation/peer/actor.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer } = fediverse
const { ctx } = testServer
const { origin, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await fediverse.close()
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

test('the deletion of a status with hundreds of long hashtags is sent once to followers and public streams, and to the streams of its hashtags', async () => {
  const [follower, reader] = (await users(2)) as [TestUser, TestUser]
  const far = await fediverse.peer.host('remote.test').createActor('far')
  await fediverse.followEachOther(follower, far)
  const names = Array.from({ length: 200 }, (_, n) => `${'鳥の巣箱'.repeat(20)}${n}`)
  const tag = names.map((name, n) => ({ type: 'Hashtag', name: `#${name}`, href: `https://remote.test/tags/${n}` }))
  const note = far.note({ content: '<p>Look</p>', tag })
  await fediverse.deliver(far, far.activity('Create', note, { to: [PUBLIC] }))
  const { id } = await fediverse.getStatus(note['id'])
  const sockets = await listenAs(origin, { users: { follower, reader }, streams: ['user', 'public'] })
  for (const name of [names[0], names[199]]) {
    sockets.reader.socket.send({ type: 'subscribe', stream: 'hashtag', tag: name })
  }
  await sockets.reader.socket.subscribe()
  await fediverse.deliver(far, far.activity('Delete', { id: note['id'], type: 'Tombstone' }, { to: [PUBLIC] }))
  assert.deepEqual(await eventsReceived(testServer, sockets), {
    follower: [`public delete ${id}`, `user delete ${id}`],
    reader: [`hashtag,${names[0]} delete ${id}`, `hashtag,${names[199]} delete ${id}`, `public delete ${id}`],
  })
})
