import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { fanOutStatuses } from '../../domain/timelines/feeds/fan-out-statuses.ts'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { idOf, openSocket, openStreamingServer, until } from '../../../test/streaming/streams.ts'
import type { ReceivedEvent, Socket } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { publishDeletion, publishPublicStatuses } from '../events/publish-events.ts'

// Without effects, so that no worker runs statements that would be counted.
const testServer = await openTestServer({ effects: false })
const { ctx } = testServer
const NEVER = { heartbeatMs: 3_600_000, tokenCheckMs: 3_600_000, ipBlockCheckMs: 3_600_000 }
const { origin, streaming, close } = await openStreamingServer(ctx, NEVER)
after(async () => {
  await close()
  await testServer.close()
})

test('two hundred sockets need as many queries as one, and each receives each event once', async () => {
  const author = await testServer.createUser()
  const sockets: Socket[] = []
  const costs: number[] = []
  let events = 0
  for (const count of [1, 200]) {
    const users = await Promise.all(Array.from({ length: count - sockets.length }, async () => testServer.createUser()))
    await ctx.db
      .insertInto('follows')
      .values(users.map(({ accountId }) => ({ account_id: accountId, target_account_id: author.accountId })))
      .execute()
    const opened = users.map(async ({ token }) => openSocket(origin, { token, stream: 'user' }))
    sockets.push(...(await Promise.all(opened)))
    await Promise.all(sockets.map(async (socket) => socket.subscribe('public')))
    assert.equal(streaming.count(), count)

    const { body } = await author.client.post('/api/v1/statuses', { status: 'Hello all' })
    const untilAllReceived = async (event: string, stream: string) => {
      events += 1
      await until(() => sockets.every(({ received }) => received.some(isExpected)), `${event} on ${stream}`)
      function isExpected(one: ReceivedEvent): boolean {
        return one.event === event && one.stream[0] === stream && idOf(one) === body.id
      }
    }
    costs.push(
      await countQueries(async () => {
        await fanOutStatuses(ctx, [{ statusId: body.id }])
        await untilAllReceived('update', 'user')
        await publishPublicStatuses(ctx, [{ statusId: body.id }])
        await untilAllReceived('update', 'public')
        const deletion = {
          statusId: body.id,
          uri: body.uri,
          local: true,
          localOnly: false,
          accountId: author.accountId,
          tags: [],
          mentionedIds: [],
        }
        await publishDeletion(ctx, { ...deletion, visibility: 'public', reblogs: [], recipientIds: [], mediaKeys: [] })
        await untilAllReceived('delete', 'user')
        await untilAllReceived('delete', 'public')
      }),
    )
  }
  assert.equal(costs[0], costs[1])
  assert.equal(sockets[0]!.received.length, events)
  for (const socket of sockets.slice(1)) assert.equal(socket.received.length, events / 2)
})
