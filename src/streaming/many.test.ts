import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { addToFeeds } from '../domain/feeds/fill.ts'
import { countQueries } from '../../test/count-queries.ts'
import { idOf, openSocket, serveStreams, until } from '../../test/streams.ts'
import type { Received, Socket } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import { publishDeletion, publishPublic } from './publish.ts'

// Without a worker, so that nothing but what is counted asks the database.
const world = await openWorld({ effects: false })
const { ctx } = world
const NEVER = { beatMs: 3_600_000, checkMs: 3_600_000 }
const { origin, streaming, close } = await serveStreams(ctx, NEVER)
after(async () => {
  await close()
  await world.close()
})

test('two hundred sockets cost as many queries as one, and each hears of each event once', async () => {
  const author = await world.createPerson()
  const sockets: Socket[] = []
  const costs: number[] = []
  let events = 0
  for (const wanted of [1, 200]) {
    const people = await Promise.all(Array.from({ length: wanted - sockets.length }, async () => world.createPerson()))
    await ctx.db
      .insertInto('follows')
      .values(people.map(({ accountId }) => ({ account_id: accountId, target_account_id: author.accountId })))
      .execute()
    const opened = people.map(async ({ token }) => openSocket(origin, { token, stream: 'user' }))
    sockets.push(...(await Promise.all(opened)))
    await Promise.all(sockets.map(async (socket) => socket.subscribe('public')))
    assert.equal(streaming.count(), wanted)

    const { body } = await author.client.post('/api/v1/statuses', { status: 'Hello all' })
    const all = async (event: string, stream: string) => {
      events += 1
      await until(() => sockets.every(({ received }) => received.some(isIt)), `${event} on ${stream}`)
      function isIt(one: Received): boolean {
        return one.event === event && one.stream[0] === stream && idOf(one) === body.id
      }
    }
    costs.push(
      await countQueries(async () => {
        await addToFeeds(ctx, { statusId: body.id })
        await all('update', 'user')
        await publishPublic(ctx, { statusId: body.id })
        await all('update', 'public')
        const gone = {
          statusId: body.id,
          uri: body.uri,
          local: true,
          localOnly: false,
          accountId: author.accountId,
          tags: [],
          mentionedIds: [],
        }
        await publishDeletion(ctx, { ...gone, visibility: 'public', boosts: [], reachedIds: [], mediaKeys: [] })
        await all('delete', 'user')
        await all('delete', 'public')
      }),
    )
  }
  assert.equal(costs[0], costs[1])
  assert.equal(sockets[0]!.received.length, events)
  for (const socket of sockets.slice(1)) assert.equal(socket.received.length, events / 2)
})
