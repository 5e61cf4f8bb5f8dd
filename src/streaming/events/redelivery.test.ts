import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addStatusesToConversations } from '../../domain/conversations/add-to-conversations.ts'
import type { Ctx } from '../../domain/context.ts'
import { fanOutStatuses } from '../../domain/timelines/feeds/fan-out-statuses.ts'
import { notifyMentionedAccounts } from '../../domain/notifications/notify/notify-mentions.ts'
import { idOf, openSocket, openStreamingServer, until } from '../../../test/streaming/streams.ts'
import type { Socket } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { publishNotifications, publishPublicStatuses } from './publish-events.ts'

// Without effects: the tests run them themselves, repeatedly.
const testServer = await openTestServer({ effects: false })
const { ctx } = testServer
const { origin, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})

/** A process that is killed after it has written to the database, and before it publishes anything. */
const killed: Ctx = { ...ctx, bus: { ...ctx.bus, publish: async () => {} } }

const [author, reblogger, reader] = [
  await testServer.createUser(),
  await testServer.createUser(),
  await testServer.createUser(),
]
for (const one of [author, reblogger]) await reader.client.post(`/api/v1/accounts/${one.accountId}/follow`)
const { body: list } = await reader.client.post('/api/v1/lists', { title: 'L' })
await reader.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [author.accountId, reblogger.accountId] })

const linesOf = ({ received }: Socket) => received.map((one) => `${one.stream[0]} ${one.event} ${idOf(one)}`).toSorted()

/** Publishes a last event, and returns all events that the socket received before it. */
async function collectEvents(socket: Socket): Promise<string[]> {
  const { body } = await author.client.post('/api/v1/statuses', { status: 'the last', visibility: 'unlisted' })
  await fanOutStatuses(ctx, [{ statusId: body.id }])
  await until(() => socket.received.filter((one) => idOf(one) === body.id).length === 2)
  return linesOf({ ...socket, received: socket.received.filter((one) => idOf(one) !== body.id) })
}

async function listen(t: { after(end: () => void): void }): Promise<Socket> {
  const socket = await openSocket(origin, { token: reader.token })
  t.after(() => socket.ws.terminate())
  const before = socket.errors.length
  socket.send({ type: 'subscribe', stream: 'list', list: list.id })
  socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'news' })
  for (const stream of ['user', 'public', 'public:local', 'direct']) socket.send({ type: 'subscribe', stream })
  // Commands run in order: the error for this list shows that all other subscriptions are active.
  socket.send({ type: 'subscribe', stream: 'list', list: '404' })
  await until(() => socket.errors.length > before)
  return socket
}

test('F5 events that a killed process did not publish are published by its successor, once for repeated runs', async (t) => {
  const socket = await listen(t)
  const { body: post } = await author.client.post('/api/v1/statuses', { status: 'some #news' })
  const { body: reblog } = await reblogger.client.post(`/api/v1/statuses/${post.id}/reblog`)
  const { body: other } = await reblogger.client.post('/api/v1/statuses', { status: 'else' })
  const { body: second } = await author.client.post(`/api/v1/statuses/${other.id}/reblog`)
  for (const run of [killed, ctx, ctx, killed, ctx]) {
    await fanOutStatuses(run, [{ statusId: post.id }])
    await publishPublicStatuses(run, [{ statusId: post.id }])
    // The first reblog repeats a status in the feed, so it is left out; the second one is sent once.
    await fanOutStatuses(run, [{ statusId: post.id, reblogId: reblog.id }])
    await fanOutStatuses(run, [{ statusId: other.id, reblogId: second.id }])
  }
  assert.deepEqual(
    await collectEvents(socket),
    [
      ...['user', 'list', 'public', 'public:local', 'hashtag'].map((stream) => `${stream} update ${post.id}`),
      ...['user', 'list'].map((stream) => `${stream} update ${second.id}`),
    ].toSorted(),
  )
})

test('F5 the conversation, status and notification of a direct message are sent once for repeated runs', async (t) => {
  const socket = await listen(t)
  const status = `@${reader.username} psst`
  const { body: post } = await author.client.post('/api/v1/statuses', { status, visibility: 'direct' })
  for (const run of [killed, ctx, ctx]) {
    await fanOutStatuses(run, [{ statusId: post.id }])
    await notifyMentionedAccounts(run, [{ statusId: post.id }])
  }
  for (const run of [killed, ctx]) await addStatusesToConversations(run, [{ statusId: post.id }])
  const { body: notifications } = await reader.client.get('/api/v1/notifications')
  const [{ id }] = notifications
  for (const run of [killed, ctx, ctx]) await publishNotifications(run, [{ notificationId: id }])
  const { body: conversations } = await reader.client.get('/api/v1/conversations')
  const received = await collectEvents(socket)
  assert.deepEqual(
    received,
    [`direct conversation ${conversations[0].id}`, `user notification ${id}`, `user update ${post.id}`].toSorted(),
  )
})
