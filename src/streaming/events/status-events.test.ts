import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { publishMessage, publishToHomes } from '../../domain/core/stream-topics.ts'
import type { Notification } from '../../entities/notifications/notification.ts'
import { listenAs, eventsReceived } from '../../../test/streaming/record-events.ts'
import {
  statusOf,
  issueTokenWithScopes,
  openSocket,
  openStreamingServer,
  until,
} from '../../../test/streaming/streams.ts'
import { limit } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
const { ctx } = testServer
const { origin, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})

const PUBLIC = [
  'public',
  'public:media',
  'public:local',
  'public:local:media',
  'public:remote',
  'public:remote:media',
] as const

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

test('a status is sent to the user streams of its author and followers only', async () => {
  const [author, follower, unrelated] = (await users(3)) as [TestUser, TestUser, TestUser]
  await act(follower, 'follow', author)
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { author, follower, unrelated }, streams: ['user'] })
  const publicId = await post(author, 'for all')
  const privateId = await post(author, 'for followers', { visibility: 'private' })
  const directId = await post(author, 'for nobody', { visibility: 'direct' })
  const both = [`user update ${publicId}`, `user update ${privateId}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), {
    author: [...both, `user update ${directId}`],
    follower: both,
    unrelated: [],
  })
})

test('VI8: a direct status is sent to its author and to mentioned accounts, and to no public stream', async () => {
  const [author, friend, follower] = (await users(3)) as [TestUser, TestUser, TestUser]
  await act(friend, 'follow', author)
  await act(follower, 'follow', author)
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { author, friend, follower }, streams: ['user', ...PUBLIC] })
  const id = await post(author, `@${friend.username} psst`, { visibility: 'direct' })
  const received = await eventsReceived(testServer, sockets)
  assert.deepEqual(received.author, [`user update ${id}`])
  assert.deepEqual(received.follower, [])
  assert.equal(received.friend[1], `user update ${id}`)
  assert.match(received.friend[0]!, /^user notification /)
  await author.client.delete(`/api/v1/statuses/${id}`)
  const deleted = [`user delete ${id}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), { author: deleted, friend: deleted, follower: [] })
})

test('a user stream renders a status for its viewer, also inside a reblog', async () => {
  const [author, reblogger, fan, other] = (await users(4)) as [TestUser, TestUser, TestUser, TestUser]
  await act(fan, 'follow', reblogger)
  await act(other, 'follow', reblogger)
  const original = await post(author, 'a song')
  await fan.client.post(`/api/v1/statuses/${original}/favourite`)
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { reblogger, fan, other }, streams: ['user'] })
  const { body: reblog } = await reblogger.client.post(`/api/v1/statuses/${original}/reblog`)
  for (const [name, { socket, user }] of Object.entries(sockets)) {
    const [update] = await until(() => (socket.received.length > 0 ? socket.received : null))
    const { body: expected } = await user.client.get(`/api/v1/statuses/${reblog.id}`)
    const streamed = statusOf(update!)
    assert.deepEqual(streamed, expected, name)
    assert.equal(streamed.favourited, name === 'fan')
    assert.equal(streamed.reblog!.favourited, name === 'fan')
    assert.equal(streamed.reblogged, name === 'reblogger')
  }
})

test('a public status is sent to the matching public streams, without viewer state', async () => {
  const [author, reader] = (await users(2)) as [TestUser, TestUser]
  const sockets = await listenAs(origin, { users: { reader }, streams: ['user', ...PUBLIC] })
  const local = await post(author, 'from here')
  assert.deepEqual((await eventsReceived(testServer, sockets)).reader, [
    `public update ${local}`,
    `public:local update ${local}`,
  ])

  const { db } = ctx
  const far = await db
    .insertInto('accounts')
    .values({ username: 'far', domain: 'far.test', uri: 'https://far.test/far', url: 'https://far.test/@far' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('account_stats').values({ account_id: far.id }).execute()
  const remote = await db
    .insertInto('statuses')
    .values({
      account_id: far.id,
      uri: 'https://far.test/1',
      url: 'https://far.test/@far/1',
      visibility: 'public',
      local: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('media_attachments')
    .values({
      account_id: far.id,
      status_id: remote.id,
      type: 'image',
      file_key: 'f',
      preview_key: 'p',
      content_type: 'image/png',
      byte_size: '1',
      meta: '{}',
    })
    .execute()
  await ctx.write(async (tx) => tx.emit('status.created', { statusId: remote.id }))
  await until(() => sockets.reader.socket.received.length === 4)
  const status = statusOf(sockets.reader.socket.received[0]!)
  assert.equal(status.account.acct, 'far@far.test')
  for (const key of ['favourited', 'reblogged', 'muted', 'bookmarked', 'filtered', 'pinned']) {
    assert.ok(!(key in status), key)
  }
  assert.deepEqual(
    (await eventsReceived(testServer, sockets)).reader,
    ['public', 'public:media', 'public:remote', 'public:remote:media'].map((name) => `${name} update ${remote.id}`),
  )
})

test('public streams contain no reblogs, replies to others, unlisted statuses or limited accounts', async () => {
  const [author, other, limited, reader] = (await users(4)) as [TestUser, TestUser, TestUser, TestUser]
  await limit(ctx, limited)
  const sockets = await listenAs(origin, { users: { reader }, streams: ['public', 'user'] })
  const first = await post(author, 'first')
  const selfReply = await post(author, 'first, going on', { in_reply_to_id: first })
  await post(other, 'an answer', { in_reply_to_id: first })
  await post(author, 'quietly', { visibility: 'unlisted' })
  await post(author, 'inside', { visibility: 'private' })
  await post(limited, 'unheard')
  await other.client.post(`/api/v1/statuses/${first}/reblog`)
  assert.deepEqual((await eventsReceived(testServer, sockets)).reader, [
    `public update ${first}`,
    `public update ${selfReply}`,
  ])
})

test('ST3: VI16: public streams send nothing across a block or to accounts that mute the author', async () => {
  const [author, blocker, blocked, muter, expiredMuter, reader] = (await users(6)) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ]
  await act(blocker, 'block', author)
  await act(author, 'block', blocked)
  await act(muter, 'mute', author)
  await act(expiredMuter, 'mute', author)
  const past = new Date(ctx.now().getTime() - 1_000)
  await ctx.db.updateTable('mutes').set({ expires_at: past }).where('account_id', '=', expiredMuter.accountId).execute()
  const sockets = await listenAs(origin, {
    users: { blocker, blocked, muter, expiredMuter, reader },
    streams: ['public', 'user'],
  })
  const id = await post(author, 'for some')
  const update = [`public update ${id}`]
  const none = { blocker: [], blocked: [], muter: [] }
  assert.deepEqual(await eventsReceived(testServer, sockets), { ...none, expiredMuter: update, reader: update })
  await author.client.delete(`/api/v1/statuses/${id}`)
  const deleted = [`public delete ${id}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), { ...none, expiredMuter: deleted, reader: deleted })
})

test('ST3: statuses that were hidden after the event was published are not sent', async () => {
  const [author, follower, muter, unrelated] = (await users(4)) as [TestUser, TestUser, TestUser, TestUser]
  await act(follower, 'follow', author)
  await act(muter, 'follow', author)
  const id = await post(author, 'for followers', { visibility: 'private' })
  await testServer.waitForJobs()
  await act(muter, 'mute', author)
  await act(author, 'block', follower)
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { author, follower, muter, unrelated }, streams: ['user', 'public'] })
  const accountIds = [author, follower, muter, unrelated].map((user) => user.accountId)
  await publishToHomes(ctx.bus, { event: 'update', statusId: id, accountIds })
  await publishMessage(ctx.bus, 'stream.public', { statusId: id })
  await publishMessage(ctx.bus, 'stream.public', { statusId: '404' })
  await publishMessage(ctx.bus, 'stream.notification', { notificationId: '404', accountId: unrelated.accountId })
  const none = { follower: [], muter: [], unrelated: [] }
  assert.deepEqual(await eventsReceived(testServer, sockets), { author: [`user update ${id}`], ...none })
})

test('a notification is sent to both streams of its recipient if the token may read it', async () => {
  const [user, friend] = (await users(2)) as [TestUser, TestUser]
  const streams = ['user', 'user:notification']
  const { both, other } = await listenAs(origin, { users: { both: user, other: friend }, streams })
  const narrow = await issueTokenWithScopes(ctx, { user: user, scopes: 'read:statuses' })
  const withoutScope = await openSocket(origin, { token: narrow.token, stream: 'user' })
  await withoutScope.subscribe()
  const id = await post(user, 'a song')
  await friend.client.post(`/api/v1/statuses/${id}/favourite`)
  await until(() => both.socket.received.length === 3)
  const { body: list } = await user.client.get('/api/v1/notifications')
  assert.deepEqual(
    both.socket.received
      .filter(({ event }) => event === 'notification')
      .map((one) => ({ ...one, payload: JSON.parse(one.payload) as Notification })),
    [
      { stream: ['user'], event: 'notification', payload: list[0] },
      { stream: ['user:notification'], event: 'notification', payload: list[0] },
    ],
  )
  const sockets = { withoutScope: { user: user, socket: withoutScope }, other }
  assert.deepEqual(await eventsReceived(testServer, sockets), { withoutScope: [`user update ${id}`], other: [] })
})

test('every id in a streamed payload is a string', async () => {
  const [author, friend] = (await users(2)) as [TestUser, TestUser]
  await act(friend, 'follow', author)
  await act(author, 'follow', friend)
  await testServer.waitForJobs()
  const streams = ['user', 'public', 'direct']
  const { both } = await listenAs(origin, { users: { both: author }, streams })
  const id = await post(author, 'one #tag', { poll: { options: ['a', 'b'], expires_in: 600 } })
  await friend.client.post(`/api/v1/statuses/${id}/favourite`)
  await friend.client.post(`/api/v1/statuses/${id}/reblog`)
  await post(friend, `@${author.username} yes`, { in_reply_to_id: id, visibility: 'direct' })
  await author.client.put(`/api/v1/statuses/${id}`, { status: 'two #tag' })
  await until(() => both.socket.received.some(({ event }) => event === 'status.update'))
  await testServer.waitForJobs()
  await author.client.delete(`/api/v1/statuses/${id}`)
  await until(() => both.socket.received.some(({ event }) => event === 'delete'))
  const { received } = both.socket
  const kinds = new Set(received.map(({ event }) => event))
  assert.deepEqual([...kinds].toSorted(), ['conversation', 'delete', 'notification', 'status.update', 'update'])
  for (const { event, payload } of received) {
    if (event === 'delete') assert.match(payload, /^\d+$/)
    else
      assert.ok(
        findIds(JSON.parse(payload)).every((one) => one === null || typeof one === 'string'),
        payload,
      )
  }
})

/** Returns the values of all id properties, at any depth. */
function findIds(value: unknown, name = ''): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => findIds(one, name))
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([key, one]) => findIds(one, key))
  return /(^|_)ids?$/.test(name) ? [value] : []
}

test('the main server serves the streams, too', async () => {
  const address = await testServer.listen()
  const user = await testServer.createUser()
  const socket = await openSocket(address, { token: user.token, stream: 'user' })
  await socket.subscribe()
  const id = await post(user, 'here')
  const [update] = await until(() => (socket.received.length > 0 ? socket.received : null))
  assert.equal(statusOf(update!).id, id)
  socket.ws.close()
})
