import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listenAs, eventsReceived } from '../../../test/streaming/record-events.ts'
import {
  issueTokenWithScopes,
  openEventStream,
  openSocket,
  openStreamingServer,
  until,
} from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { Conversation } from '../../entities/statuses/conversation.ts'

const testServer = await openTestServer()
const { origin, close } = await openStreamingServer(testServer.ctx)
after(async () => {
  await close()
  await testServer.close()
})

async function users(n: number): Promise<TestUser[]> {
  return Promise.all(Array.from({ length: n }, async () => testServer.createUser()))
}

async function sendDirect(from: TestUser, to: readonly TestUser[], more: object = {}): Promise<string> {
  const status = [...to.map((one) => `@${one.username}`), 'psst'].join(' ')
  const response = await from.client.post('/api/v1/statuses', { status, visibility: 'direct', ...more })
  assert.equal(response.status, 200)
  return response.body.id
}

async function firstOf(user: TestUser): Promise<Conversation> {
  const { body } = await user.client.get<Conversation[]>('/api/v1/conversations')
  return body[0]!
}

test('VI8 a direct message is sent as a conversation to both accounts, and to no others', async () => {
  const [ann, bob, eve] = (await users(3)) as [TestUser, TestUser, TestUser]
  await eve.client.post(`/api/v1/accounts/${ann.accountId}/follow`)
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { ann, bob, eve }, streams: ['direct', 'user'] })
  const id = await sendDirect(ann, [bob])
  await until(() => sockets.bob.socket.received.some((one) => one.event === 'conversation'))
  const conversation = JSON.parse(sockets.bob.socket.received.find((one) => one.event === 'conversation')!.payload)
  assertEntity('Conversation', conversation)
  assert.deepEqual(conversation, await firstOf(bob))
  assert.deepEqual([conversation.unread, conversation.last_status?.id], [true, id])
  const received = await eventsReceived(testServer, sockets)
  const direct = (lines: string[]) => lines.filter((line) => line.startsWith('direct'))
  assert.deepEqual(direct(received.ann), [`direct conversation ${(await firstOf(ann)).id}`])
  assert.deepEqual(direct(received.bob), [`direct conversation ${(await firstOf(bob)).id}`])
  assert.deepEqual(received.eve, [])
})

test('an edit is sent to accounts that have the status in a conversation, and as a conversation to newly mentioned ones', async () => {
  const [ann, bob, eve] = (await users(3)) as [TestUser, TestUser, TestUser]
  const id = await sendDirect(ann, [bob])
  await testServer.waitForJobs()
  const connections = await listenAs(origin, { users: { ann, bob, eve }, streams: ['direct'] })
  const edit = async (status: string) => {
    assert.equal((await ann.client.put(`/api/v1/statuses/${id}`, { status })).status, 200)
    await testServer.waitForJobs()
  }
  const lines = ({ socket }: { socket: { received: { event: string }[] } }) => socket.received.map((one) => one.event)
  await edit(`@${bob.username} hush`)
  await until(() => [connections.ann, connections.bob].every((one) => lines(one).includes('status.update')))
  assert.deepEqual(
    [lines(connections.ann), lines(connections.bob), lines(connections.eve)],
    [['status.update'], ['status.update'], []],
  )
  await edit(`@${eve.username} hush`)
  await until(() => lines(connections.eve).includes('conversation'))
  const [event] = connections.eve.socket.received.filter((one) => one.event === 'conversation')
  assert.equal((JSON.parse(event!.payload) as Conversation).accounts[0]!.id, ann.accountId)
})

test('a conversation that was read or that lost its last status is sent to the clients of its account only', async () => {
  const [ann, bob] = (await users(2)) as [TestUser, TestUser]
  const first = await sendDirect(ann, [bob])
  const last = await sendDirect(ann, [bob], { in_reply_to_id: first })
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { ann, bob }, streams: ['direct', 'user'] })
  const { id } = await firstOf(bob)
  const changed = [`direct conversation ${id}`]
  for (const [action, unread] of [
    ['read', false],
    ['unread', true],
  ] as const) {
    // The second request changes nothing.
    for (let n = 0; n < 2; n += 1) await bob.client.post(`/api/v1/conversations/${id}/${action}`)
    await until(() => sockets.bob.socket.received.length > 0)
    const [event] = sockets.bob.socket.received
    assert.equal((JSON.parse(event!.payload) as Conversation).unread, unread)
    assert.deepEqual(await eventsReceived(testServer, sockets), { ann: [], bob: changed })
  }
  await ann.client.delete(`/api/v1/statuses/${last}`)
  const isConversation = ({ event }: { event: string }) => event === 'conversation'
  const event = await until(() => sockets.bob.socket.received.find(isConversation))
  assert.equal((JSON.parse(event.payload) as Conversation).last_status!.id, first)
  const deleted = [`user delete ${last}`]
  const { id: own } = await firstOf(ann)
  assert.deepEqual(await eventsReceived(testServer, sockets), {
    ann: [`direct conversation ${own}`, ...deleted],
    bob: [...changed, ...deleted],
  })
  await ann.client.delete(`/api/v1/statuses/${first}`)
  assert.deepEqual(await eventsReceived(testServer, sockets), {
    ann: [`user delete ${first}`],
    bob: [`user delete ${first}`],
  })
})

test('an edit is not sent to an account that it removes from the mentions of a direct message, also a follower', async () => {
  const [ann, bob, eve] = (await users(3)) as [TestUser, TestUser, TestUser]
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/follow`)
  const id = await sendDirect(ann, [bob, eve])
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { bob, eve }, streams: ['direct', 'user', 'user:notification'] })
  for (const status of [`@${eve.username} hush`, `@${eve.username} hush!`])
    assert.equal((await ann.client.put(`/api/v1/statuses/${id}`, { status })).status, 200)
  const { bob: removed, eve: remaining } = await eventsReceived(testServer, sockets)
  assert.deepEqual(removed, [])
  assert.ok(remaining.includes(`direct status.update ${id}`), remaining.join())
  await ann.client.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual((await eventsReceived(testServer, sockets)).bob, [`user delete ${id}`])
})

test('ST3 VI16 conversations with muted or blocked accounts send no events', async () => {
  const [ann, bob, eve, sue] = (await users(4)) as [TestUser, TestUser, TestUser, TestUser]
  const first = await sendDirect(eve, [ann])
  await testServer.waitForJobs()
  const socket = await openSocket(origin, { token: ann.token })
  await socket.subscribe('direct')
  await ann.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  await ann.client.post(`/api/v1/accounts/${eve.accountId}/mute`)
  await sendDirect(bob, [ann])
  await sendDirect(eve, [ann])
  await sendDirect(sue, [ann, eve])
  await eve.client.put(`/api/v1/statuses/${first}`, { status: `@${ann.username} hush` })
  await testServer.waitForJobs()
  const last = await sendDirect(sue, [ann])
  await until(() => socket.received.length > 0)
  assert.deepEqual(
    socket.received.map((one) => [one.stream, one.event, (JSON.parse(one.payload) as Conversation).last_status!.id]),
    [[['direct'], 'conversation', last]],
  )
})

test('ST1 the direct stream requires the scope of statuses, and is available as server-sent events', async () => {
  const [ann, bob] = (await users(2)) as [TestUser, TestUser]
  const { token } = await issueTokenWithScopes(testServer.ctx, { user: bob, scopes: 'read:notifications' })
  const refused = await openEventStream(origin, { path: '/api/v1/streaming/direct', token })
  assert.equal(refused.status, 401)
  const stream = await openEventStream(origin, { path: '/api/v1/streaming/direct', token: bob.token })
  assert.equal(stream.status, 200)
  const id = await sendDirect(ann, [bob])
  const [event] = await until(() => (stream.events().length > 0 ? stream.events() : null))
  assert.equal(event!.event, 'conversation')
  assert.equal((JSON.parse(event!.payload) as Conversation).last_status!.id, id)
  stream.request.destroy()
})
