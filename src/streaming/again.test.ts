import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addToConversations } from '../domain/conversations/file.ts'
import type { Ctx } from '../domain/context.ts'
import { addToFeeds } from '../domain/feeds/fill.ts'
import { notifyMentioned } from '../domain/notifications/notify-mentioned.ts'
import { idOf, openSocket, serveStreams, until } from '../../test/streams.ts'
import type { Socket } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import { publishNotification, publishPublic } from './publish.ts'

// Without a worker: the tests run effects themselves, as often as they like.
const world = await openWorld({ effects: false })
const { ctx } = world
const { origin, close } = await serveStreams(ctx)
after(async () => {
  await close()
  await world.close()
})

/** A process that is killed after it has written, and before it has told anybody. */
const dying: Ctx = { ...ctx, bus: { ...ctx.bus, publish: async () => {} } }

const [author, booster, reader] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
for (const one of [author, booster]) await reader.client.post(`/api/v1/accounts/${one.accountId}/follow`)
const { body: list } = await reader.client.post('/api/v1/lists', { title: 'L' })
await reader.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [author.accountId, booster.accountId] })

const linesOf = ({ received }: Socket) => received.map((one) => `${one.stream[0]} ${one.event} ${idOf(one)}`).toSorted()

/** Hears of something that comes after all that was told before. */
async function hearAll(socket: Socket): Promise<string[]> {
  const { body } = await author.client.post('/api/v1/statuses', { status: 'the last', visibility: 'unlisted' })
  await addToFeeds(ctx, { statusId: body.id })
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
  // One after the other: when there turns out to be no such list, all the others are heard.
  socket.send({ type: 'subscribe', stream: 'list', list: '404' })
  await until(() => socket.errors.length > before)
  return socket
}

test('F5 what a killed process had written but told nobody is told by who takes over, once however often it runs', async (t) => {
  const socket = await listen(t)
  const { body: post } = await author.client.post('/api/v1/statuses', { status: 'some #news' })
  const { body: boost } = await booster.client.post(`/api/v1/statuses/${post.id}/reblog`)
  const { body: other } = await booster.client.post('/api/v1/statuses', { status: 'else' })
  const { body: second } = await author.client.post(`/api/v1/statuses/${other.id}/reblog`)
  for (const run of [dying, ctx, ctx, dying, ctx]) {
    await addToFeeds(run, { statusId: post.id })
    await publishPublic(run, { statusId: post.id })
    // What is there already is not repeated by a boost, but a boost does not repeat itself.
    await addToFeeds(run, { statusId: post.id, boostId: boost.id })
    await addToFeeds(run, { statusId: other.id, boostId: second.id })
  }
  assert.deepEqual(
    await hearAll(socket),
    [
      ...['user', 'list', 'public', 'public:local', 'hashtag'].map((stream) => `${stream} update ${post.id}`),
      ...['user', 'list'].map((stream) => `${stream} update ${second.id}`),
    ].toSorted(),
  )
})

test('F5 the same of direct posts: the conversation, the post and the notification', async (t) => {
  const socket = await listen(t)
  const status = `@${reader.username} psst`
  const { body: post } = await author.client.post('/api/v1/statuses', { status, visibility: 'direct' })
  for (const run of [dying, ctx, ctx]) {
    await addToFeeds(run, { statusId: post.id })
    await notifyMentioned(run, { statusId: post.id })
  }
  for (const run of [dying, ctx]) await addToConversations(run, { statusId: post.id })
  const { body: notifications } = await reader.client.get('/api/v1/notifications')
  const [{ id }] = notifications
  for (const run of [dying, ctx, ctx]) await publishNotification(run, { notificationId: id })
  const { body: conversations } = await reader.client.get('/api/v1/conversations')
  const heard = await hearAll(socket)
  assert.deepEqual(
    heard,
    [`direct conversation ${conversations[0].id}`, `user notification ${id}`, `user update ${post.id}`].toSorted(),
  )
})
