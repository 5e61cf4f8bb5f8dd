import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  issueTokenWithScopes,
  openEventStream,
  openSocket,
  openStreamingServer,
  statusOf,
  until,
} from '../../../test/streaming/streams.ts'
import type { Socket } from '../../../test/streaming/streams.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { publishToHomes } from '../../domain/core/stream-topics.ts'

const testServer = await openTestServer()
const { origin, close } = await openStreamingServer(testServer.ctx)
after(async () => {
  await close()
  await testServer.close()
})

async function users(n: number): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: n }, async () => testServer.createUser()))
}

async function post(member: TestUser, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await member.client.post('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200)
  await testServer.waitForJobs()
  return body.id
}

async function createList(owner: TestUser, ...members: TestUser[]): Promise<string> {
  for (const one of members) await owner.client.post(`/api/v1/accounts/${one.accountId}/follow`)
  const { body } = await owner.client.post('/api/v1/lists', { title: 'L' })
  const added = { account_ids: members.map((one) => one.accountId) }
  assert.equal((await owner.client.post(`/api/v1/lists/${body.id}/accounts`, added)).status, 200)
  await testServer.waitForJobs()
  return body.id
}

const linesOf = ({ received }: Socket) =>
  received.map(({ stream, event, payload }) => {
    const id = payload.startsWith('{') ? statusOf({ payload }).id : payload
    return `${stream.join(' ')}: ${event} ${id}`
  })

/** Subscribes to a list. Commands run in order, so the error for list 404 shows that the subscription is active. */
async function subscribeToList(socket: Socket, list: string): Promise<void> {
  const before = socket.errors.length
  socket.send({ type: 'subscribe', stream: 'list', list })
  socket.send({ type: 'subscribe', stream: 'list', list: '404' })
  await until(() => socket.errors.length > before)
}

test('a list stream sends new statuses, edits and deletions', async () => {
  const [ann, bob, eve] = (await users(3)) as [TestUser, TestUser, TestUser]
  const list = await createList(ann, bob)
  const socket = await openSocket(origin, { token: ann.token, path: `/api/v1/streaming?stream=list&list=${list}` })
  await subscribeToList(socket, list)
  const events = await openEventStream(origin, { path: `/api/v1/streaming/list?list=${list}`, token: ann.token })
  await post(eve, 'elsewhere')
  const id = await post(bob, 'on the list')
  await until(() => socket.received.length === 1)
  assert.deepEqual(statusOf(socket.received[0]!), (await ann.client.get(`/api/v1/statuses/${id}`)).body)
  await bob.client.put(`/api/v1/statuses/${id}`, { status: 'edited' })
  await until(() => socket.received.length === 2)
  await bob.client.delete(`/api/v1/statuses/${id}`)
  await until(() => socket.received.length === 3)
  assert.deepEqual(
    linesOf(socket),
    ['update', 'status.update', 'delete'].map((event) => `list ${list}: ${event} ${id}`),
  )
  await until(() => events.events().length === 3)
  assert.deepEqual(
    events.events(),
    socket.received.map(({ event, payload }) => ({ event, payload })),
  )
  events.request.destroy()
  socket.ws.terminate()
})

test('a list stream sends edits of posts that newer ones have replaced, as the list would show them', async () => {
  const [owner, member, other, removed] = (await users(4)) as [TestUser, TestUser, TestUser, TestUser]
  const list = await createList(owner, member, removed)
  await owner.client.post(`/api/v1/lists/${list}/accounts`, { account_ids: [owner.accountId] })
  const question = await post(other, 'a question')
  const plain = await post(member, 'old')
  const reply = await post(member, `@${other.username} yes`, { in_reply_to_id: question })
  const former = await post(removed, 'of a former member')
  const own = await post(owner, 'my own')
  const remove = { account_ids: [removed.accountId] }
  await owner.client.delete(`/api/v1/lists/${list}/accounts`, remove)
  await testServer.waitForJobs()
  // As if 800 newer posts had replaced them.
  await testServer.ctx.db.deleteFrom('list_entries').execute()
  const socket = await openSocket(origin, { token: owner.token, path: `/api/v1/streaming?stream=list&list=${list}` })
  await subscribeToList(socket, list)
  for (const [user, id] of [
    [removed, former],
    [member, reply],
    [member, plain],
    [owner, own],
  ] as const) {
    await user.client.put(`/api/v1/statuses/${id}`, { status: 'edited' })
    await testServer.waitForJobs()
  }
  await until(() => socket.received.length >= 2)
  assert.deepEqual(linesOf(socket), [`list ${list}: status.update ${plain}`, `list ${list}: status.update ${own}`])
  socket.ws.terminate()
})

test('ST3 VI16 a list stream sends no statuses of accounts that the owner mutes', async () => {
  const [ann, bob, sue] = (await users(3)) as [TestUser, TestUser, TestUser]
  const list = await createList(ann, bob, sue)
  const socket = await openSocket(origin, { token: ann.token })
  await subscribeToList(socket, list)
  await ann.client.post(`/api/v1/accounts/${bob.accountId}/mute`)
  await post(bob, 'muted')
  const id = await post(sue, 'heard')
  await until(() => socket.received.length > 0)
  assert.deepEqual(linesOf(socket), [`list ${list}: update ${id}`])
  socket.ws.terminate()
})

test('ST1 lists of other accounts, unknown lists, and requests without a list or hashtag are refused', async () => {
  const [ann, bob] = (await users(2)) as [TestUser, TestUser]
  const list = await createList(bob)
  const socket = await openSocket(origin, { token: ann.token })
  for (const one of [list, '99999999', 'x', `${list} `]) socket.send({ type: 'subscribe', stream: 'list', list: one })
  socket.send({ type: 'subscribe', stream: 'list' })
  socket.send({ type: 'subscribe', stream: 'hashtag' })
  socket.send({ type: 'subscribe', stream: 'hashtag:local', tag: 'no tag' })
  await until(() => socket.errors.length === 7)
  const refused = { error: 'Not authorized to stream this list', status: 401 }
  const nameless = { error: 'Missing tag name parameter', status: 400 }
  const expected = [refused, refused, refused, refused, { ...nameless, error: 'Missing list name parameter' }]
  const sorted = (errors: object[]) => errors.map((one) => JSON.stringify(one)).toSorted()
  assert.deepEqual(sorted(socket.errors), sorted([...expected, nameless, nameless]))
  socket.ws.terminate()
  const { token } = await issueTokenWithScopes(testServer.ctx, { user: bob, scopes: 'read:lists' })
  for (const [path, token_, status, error] of [
    [`list?list=${list}`, ann.token, 401, refused.error],
    [`list?list=${list}`, token, 401, 'Access token does not have the required scopes'],
    ['list', ann.token, 400, 'Missing list name parameter'],
    ['hashtag', ann.token, 400, nameless.error],
    ['hashtag/local?tag=', ann.token, 400, nameless.error],
  ] as const) {
    const stream = await openEventStream(origin, { path: `/api/v1/streaming/${path}`, token: token_ })
    await until(() => stream.text() !== '')
    assert.deepEqual([stream.status, JSON.parse(stream.text())], [status, { error }], path)
  }
})

test('a hashtag has a stream in any spelling, with replies, and one for local statuses', async () => {
  const [ann, bob] = (await users(2)) as [TestUser, TestUser]
  const remoteId = await createRemoteAccount(testServer.ctx)
  const socket = await openSocket(origin, { token: ann.token })
  socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'BirdWatch' })
  socket.send({ type: 'subscribe', stream: 'hashtag:local', tag: 'birdwatch' })
  await socket.subscribe()
  const first = await post(bob, 'look #birdwatch')
  const reply = await post(ann, 'oh #BIRDWATCH', { in_reply_to_id: first })
  for (const visibility of ['unlisted', 'private', 'direct']) await post(bob, '#birdwatch', { visibility })
  await post(bob, '#birdwatching')
  await bob.client.post(`/api/v1/statuses/${reply}/reblog`)
  const hashtags = new Map([['birdwatch', 'BirdWatch']])
  const remote = await createRemoteStatus(testServer.ctx, { accountId: remoteId, hashtags, publishedAt: new Date() })
  await testServer.waitForJobs()
  await until(() => socket.received.length >= 5)
  assert.deepEqual(
    linesOf(socket).toSorted(),
    [
      ...[first, reply].flatMap((id) => [`hashtag BirdWatch: update ${id}`, `hashtag:local birdwatch: update ${id}`]),
      `hashtag BirdWatch: update ${remote}`,
    ].toSorted(),
  )
  socket.received.length = 0
  socket.send({ type: 'unsubscribe', stream: 'hashtag:local', tag: 'birdwatch' })
  await socket.subscribe()
  await bob.client.put(`/api/v1/statuses/${first}`, { status: 'look there #birdwatch' })
  await testServer.waitForJobs()
  await bob.client.delete(`/api/v1/statuses/${first}`)
  await until(() => socket.received.length === 2)
  assert.deepEqual(
    linesOf(socket),
    ['status.update', 'delete'].map((event) => `hashtag BirdWatch: ${event} ${first}`),
  )
  socket.ws.terminate()
})

test('a hashtag in another spelling is the same subscription, with the first spelling in its events', async () => {
  const ann = await testServer.createUser()
  const socket = await openSocket(origin, { token: ann.token })
  for (const tag of ['NightOwls', '#nightowls', 'NIGHTOWLS']) socket.send({ type: 'subscribe', stream: 'hashtag', tag })
  socket.send({ type: 'subscribe', stream: 'hashtag:local', tag: '#Nightowls' })
  await socket.subscribe('user')
  const seen = async (status: string) => {
    const id = await post(ann, status)
    await until(() => linesOf(socket).includes(`user: update ${id}`))
    const marker = await post(ann, 'a marker')
    await until(() => linesOf(socket).includes(`user: update ${marker}`))
    const lines = linesOf(socket).filter((line) => line.startsWith('hashtag'))
    socket.received.length = 0
    return lines.map((line) => line.replace(id, 'ID')).toSorted()
  }
  assert.deepEqual(await seen('hoo #nightowls'), [
    'hashtag NightOwls: update ID',
    'hashtag:local #Nightowls: update ID',
  ])
  socket.send({ type: 'unsubscribe', stream: 'hashtag', tag: 'nightOwls' })
  await socket.subscribe()
  assert.deepEqual(await seen('hoo #NightOwls'), ['hashtag:local #Nightowls: update ID'])
  socket.ws.terminate()
})

test('the deletion of a status is sent only to the streams of its hashtags', async () => {
  const [ann, bob] = (await users(2)) as [TestUser, TestUser]
  await ann.client.post('/api/v1/tags/swifts/follow')
  const socket = await openSocket(origin, { token: ann.token })
  for (const tag of ['swifts', 'swallows']) socket.send({ type: 'subscribe', stream: 'hashtag', tag })
  await socket.subscribe('user')
  const [other, plain] = [await post(bob, 'no bird #plane'), await post(bob, 'no hashtag')]
  const [first, second] = [await post(bob, 'high up #swifts'), await post(bob, 'low #swallows')]
  for (const id of [other, plain, first, second]) {
    await bob.client.delete(`/api/v1/statuses/${id}`)
    await testServer.waitForJobs()
  }
  const isDeletion = ({ event }: { event: string }) => event === 'delete'
  await until(() => socket.received.filter(isDeletion).length === 3)
  assert.deepEqual(
    linesOf(socket)
      .filter((line) => line.includes(': delete '))
      .toSorted(),
    [`hashtag swallows: delete ${second}`, `hashtag swifts: delete ${first}`, `user: delete ${first}`].toSorted(),
  )
  socket.ws.terminate()
})

test('ST3 hashtag streams send no statuses across a block, and none if they are disabled', async () => {
  const [ann, bob] = (await users(2)) as [TestUser, TestUser]
  const stream = await openEventStream(origin, { path: '/api/v1/streaming/hashtag?tag=quiet', token: ann.token })
  const user = await openEventStream(origin, { path: '/api/v1/streaming/user', token: ann.token })
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/block`)
  await post(bob, 'one #quiet')
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/unblock`)
  const disabled = { name: 'local_topic_feed_access', value: '"disabled"' }
  await testServer.ctx.db.insertInto('settings').values(disabled).execute()
  await post(bob, 'two #quiet')
  // A process sends events in order, so this event shows that the second status has been processed.
  await publishToHomes(testServer.ctx.bus, { event: 'delete', statusId: '1', accountIds: [ann.accountId] })
  await until(() => user.events().some(({ payload }) => payload === '1'))
  await testServer.ctx.db.deleteFrom('settings').where('name', '=', disabled.name).execute()
  const id = await post(bob, 'three #quiet')
  await until(() => stream.events().length > 0)
  assert.deepEqual(
    stream.events().map(({ event, payload }) => [event, statusOf({ payload }).id]),
    [['update', id]],
  )
  for (const { request } of [stream, user]) request.destroy()
})

test('ST4 one connection can have a hundred streams; one more is refused and the others stay', async () => {
  const ann = await testServer.createUser()
  const socket = await openSocket(origin, { token: ann.token })
  for (let n = 0; n < 101; n += 1) socket.send({ type: 'subscribe', stream: 'hashtag', tag: `many${n}` })
  await socket.subscribe()
  assert.deepEqual(socket.errors, [{ error: 'No more than 100 streams on one connection', status: 400 }])
  const id = await post(ann, '#many7 #many100')
  await until(() => socket.received.length > 0)
  assert.deepEqual(linesOf(socket), [`hashtag many7: update ${id}`])
  socket.ws.terminate()
})
