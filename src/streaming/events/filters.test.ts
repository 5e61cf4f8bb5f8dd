import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { fanOutStatuses } from '../../domain/timelines/feeds/fan-out-statuses.ts'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { openEventStream, openSocket, openStreamingServer, statusOf, until } from '../../../test/streaming/streams.ts'
import type { ReceivedEvent, Socket } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { publishPublicStatuses } from './publish-events.ts'

/** No heartbeats and no token checks while statements are counted. */
const NEVER = { heartbeatMs: 3_600_000, tokenCheckMs: 3_600_000, ipBlockCheckMs: 3_600_000 }

// Without effects: the tests run them themselves, so that no worker runs statements that would be counted.
const testServer = await openTestServer({ effects: false })
const { ctx } = testServer
const { origin, close } = await openStreamingServer(ctx, NEVER)
after(async () => {
  await close()
  await testServer.close()
})

const serverWithEffects = await openTestServer()
const streams = await openStreamingServer(serverWithEffects.ctx, NEVER)
after(async () => {
  await streams.close()
  await serverWithEffects.close()
})

async function filter(user: TestUser, keyword: string): Promise<string> {
  const body = { title: keyword, context: ['home'], keywords_attributes: [{ keyword }] }
  return (await user.client.post('/api/v2/filters', body)).body.id
}

const eventsOf = ({ received }: Socket) => received.map((one) => `${one.stream.join()} ${one.event}`)

test('each change of filters is sent only to the user stream of the account, without a payload', async () => {
  const [user, other] = [await serverWithEffects.createUser(), await serverWithEffects.createUser()]
  const sockets = await Promise.all([user, other].map(({ token }) => openSocket(streams.origin, { token })))
  const [own, others] = sockets as [Socket, Socket]
  await Promise.all(sockets.map((socket) => socket.subscribe('user', 'user:notification', 'public')))
  const events = await openEventStream(streams.origin, { path: '/api/v1/streaming/user', token: user.token })
  const id = await filter(user, 'cat')
  await until(() => own.received.length === 1)
  assert.deepEqual(own.received[0], { stream: ['user'], event: 'filters_changed' })
  await until(() => events.text().endsWith('event: filters_changed\ndata: null\n\n'))
  await user.client.post(`/api/v2/filters/${id}/keywords`, { keyword: 'dog' })
  await until(() => own.received.length === 2)
  const old = await user.client.post('/api/v1/filters', { phrase: 'bird', context: ['home'] })
  await until(() => own.received.length === 3)
  await user.client.delete(`/api/v1/filters/${old.body.id}`)
  await user.client.delete(`/api/v2/filters/${id}`)
  await until(() => own.received.length === 5)
  assert.equal((await user.client.post('/api/v2/filters', {})).status, 422)
  await serverWithEffects.waitForJobs()
  assert.deepEqual(new Set(eventsOf(own)), new Set(['user filters_changed']))
  assert.deepEqual([own.received.length, others.received], [5, []])
  events.request.destroy()
})

test('a streamed status has the filter results of each viewer', async () => {
  const [author, catty, doggy, plain] = (await Promise.all(
    Array.from({ length: 4 }, async () => testServer.createUser()),
  )) as [TestUser, TestUser, TestUser, TestUser]
  for (const reader of [catty, doggy, plain]) {
    await reader.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  }
  for (const reader of [author, catty]) await filter(reader, 'cat')
  await filter(doggy, 'dog')
  const sockets = new Map<TestUser, Socket>()
  for (const reader of [author, catty, doggy, plain]) {
    const socket = await openSocket(origin, { token: reader.token, stream: 'user' })
    await socket.subscribe('public')
    sockets.set(reader, socket)
  }
  const { body } = await author.client.post('/api/v1/statuses', { status: 'A cat' })
  await fanOutStatuses(ctx, [{ statusId: body.id }])
  await publishPublicStatuses(ctx, [{ statusId: body.id }])
  const receivedStatuses = async (user: TestUser) => {
    const { received } = sockets.get(user)!
    await until(() => received.length === 2)
    const find = (name: string) => statusOf(received.find(({ stream }) => stream[0] === name)!)
    return { home: find('user'), publicStatus: find('public') }
  }
  for (const reader of [author, catty, doggy, plain]) {
    const { home, publicStatus } = await receivedStatuses(reader)
    const { body: shown } = await reader.client.get(`/api/v1/statuses/${body.id}`)
    assert.deepEqual(home, shown)
    assert.equal(home.filtered?.length, reader === catty ? 1 : 0)
    assert.deepEqual(publicStatus.filtered, reader === catty ? home.filtered : undefined)
    assert.ok(!('favourited' in publicStatus))
  }
})

test('a streamed notification has the filter results, too', async () => {
  const [author, reader] = [await serverWithEffects.createUser(), await serverWithEffects.createUser()]
  await filter(reader, 'cat')
  const { acct } = (await reader.client.get('/api/v1/accounts/verify_credentials')).body
  const socket = await openSocket(streams.origin, { token: reader.token, stream: 'user:notification' })
  await author.client.post('/api/v1/statuses', { status: `A cat for @${acct}` })
  const found = await until(() => socket.received.find(({ event }) => event === 'notification'))
  assert.deepEqual(JSON.parse(found.payload).status.filtered[0].keyword_matches, ['cat'])
})

test('fifty viewers with their own filters need as many statements as one', async () => {
  // Their statements would be counted, too.
  await serverWithEffects.waitForJobs()
  const author = await testServer.createUser()
  const sockets: Socket[] = []
  const costs: number[] = []
  for (const count of [1, 50]) {
    const users = await Promise.all(Array.from({ length: count - sockets.length }, async () => testServer.createUser()))
    await ctx.db
      .insertInto('follows')
      .values(users.map(({ accountId }) => ({ account_id: accountId, target_account_id: author.accountId })))
      .execute()
    await Promise.all(users.map(async (user) => filter(user, 'cat')))
    sockets.push(...(await Promise.all(users.map(async ({ token }) => openSocket(origin, { token, stream: 'user' })))))
    await Promise.all(sockets.map(async (socket) => socket.subscribe('public')))
    const { body } = await author.client.post('/api/v1/statuses', { status: 'A cat' })
    const isExpected = (one: ReceivedEvent, name: string) =>
      one.stream[0] === name && one.payload.includes(`"${body.id}"`)
    const untilAllReceived = (name: string) =>
      until(() => sockets.every(({ received }) => received.some((one) => isExpected(one, name))))
    costs.push(
      await countQueries(async () => {
        await fanOutStatuses(ctx, [{ statusId: body.id }])
        await untilAllReceived('user')
        await publishPublicStatuses(ctx, [{ statusId: body.id }])
        await untilAllReceived('public')
      }),
    )
    for (const { received } of sockets) {
      assert.ok(received.every((one) => statusOf(one).filtered?.length === 1))
    }
  }
  assert.equal(costs[1], costs[0])
})
