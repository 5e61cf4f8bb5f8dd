import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { listenAs, eventsReceived } from '../../../test/streaming/record-events.ts'
import {
  issueTokenWithScopes,
  openSocket,
  openStreamingServer,
  statusOf,
  until,
} from '../../../test/streaming/streams.ts'
import type { Socket } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
const { origin, close } = await openStreamingServer(testServer.ctx)
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

async function edit(user: TestUser, id: string, status: string): Promise<void> {
  assert.equal((await user.client.put(`/api/v1/statuses/${id}`, { status })).status, 200)
}

test('an edit is sent to home feeds and public streams with the status, and to accounts that it mentions', async () => {
  const [author, follower, muter, mentioned, unrelated] = (await users(5)) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ]
  for (const one of [follower, muter]) await one.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  await testServer.waitForJobs()
  const publicId = await post(author, 'open')
  const privateId = await post(author, 'inner', { visibility: 'private' })
  await muter.client.post(`/api/v1/accounts/${author.accountId}/mute`)
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, {
    users: { author, follower, muter, mentioned, unrelated },
    streams: ['user', 'public:local'],
  })
  await edit(author, publicId, 'open, edited')
  await testServer.waitForJobs()
  await edit(author, privateId, `inner, for @${mentioned.username}`)
  const received = await eventsReceived(testServer, sockets)
  const everywhere = [`public:local status.update ${publicId}`, `user status.update ${publicId}`]
  assert.deepEqual(received['author']?.toSorted(), [...everywhere, `user status.update ${privateId}`].toSorted())
  assert.deepEqual(received['follower']?.toSorted(), [...everywhere, `user status.update ${privateId}`].toSorted())
  assert.deepEqual(received['muter'], [])
  assert.deepEqual(received['unrelated'], [`public:local status.update ${publicId}`])
  const ofMentioned = received['mentioned']?.filter((line) => line.endsWith(privateId))
  assert.ok(ofMentioned?.includes(`user status.update ${privateId}`), String(received['mentioned']))
})

test('an edit is rendered for each viewer, and requires the scope of statuses', async () => {
  const [author, reader] = (await users(2)) as [TestUser, TestUser]
  const id = await post(author, `hi @${reader.username}`)
  await reader.client.post(`/api/v1/statuses/${id}/favourite`)
  await testServer.waitForJobs()
  const narrow = await issueTokenWithScopes(testServer.ctx, { user: reader, scopes: 'read:notifications' })
  const full = await openSocket(origin, { token: reader.token, stream: 'user:notification' })
  const withoutScope = await openSocket(origin, { token: narrow.token, stream: 'user:notification' })
  await edit(author, id, `hello @${reader.username}`)
  await testServer.waitForJobs()
  // A later event in the same queue shows that all earlier ones were sent.
  await post(author, `bye @${reader.username}`)
  const events = ({ received }: Socket) => received.map(({ event }) => event)
  await until(() => [full, withoutScope].every((one) => events(one).includes('notification')))
  assert.deepEqual([events(full), events(withoutScope)], [['status.update', 'notification'], ['notification']])
  const status = statusOf(full.received[0]!)
  assert.deepEqual([status.favourited, /hello/.test(status.content!)], [true, true])
  for (const one of [full, withoutScope]) one.ws.close()
})

test('an edit is sent to the author and followers whose feeds contain only newer posts, unless they no longer get such posts', async () => {
  const [author, other] = (await users(2)) as [TestUser, TestUser]
  const [follower, blocker, muter, lister, reader] = (await users(5)) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ]
  const follow = (user: TestUser, options: object = {}) =>
    user.client.post(`/api/v1/accounts/${author.accountId}/follow`, options)
  for (const user of [follower, blocker, muter, lister]) await follow(user)
  await follow(reader, { languages: ['de'] })
  const otherId = await post(other, 'a question')
  const plain = await post(author, 'old', { language: 'en' })
  const mentioning = await post(author, `about @${other.username}`, { language: 'de' })
  const reply = await post(author, `@${other.username} yes`, { in_reply_to_id: otherId, language: 'de' })
  const direct = await post(author, 'a note', { visibility: 'direct' })
  await blocker.client.post(`/api/v1/accounts/${other.accountId}/block`)
  await muter.client.post(`/api/v1/accounts/${author.accountId}/mute`)
  const { body: list } = await lister.client.post('/api/v1/lists', { title: 'L', exclusive: true })
  await lister.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [author.accountId] })
  await testServer.waitForJobs()
  // As if 800 newer posts had replaced them.
  await testServer.ctx.db.deleteFrom('feed_entries').execute()
  const listeners = { author, follower, blocker, muter, lister, reader }
  const sockets = await listenAs(origin, { users: listeners, streams: ['user'] })
  await edit(author, plain, 'old, but better')
  await edit(author, mentioning, `all about @${other.username}`)
  await edit(author, reply, `@${other.username} no`)
  await edit(author, direct, 'a better note')
  const lines = (...ids: string[]) => ids.map((id) => `user status.update ${id}`)
  assert.deepEqual(await eventsReceived(testServer, sockets), {
    author: lines(plain, mentioning, reply, direct),
    follower: lines(plain, mentioning),
    blocker: lines(plain),
    muter: [],
    lister: [],
    reader: lines(mentioning),
  })
})
