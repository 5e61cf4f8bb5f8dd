import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { addToFeeds } from '../domain/feeds/fill.ts'
import { countQueries } from '../../test/count-queries.ts'
import { openEventStream, openSocket, serveStreams, statusOf, until } from '../../test/streams.ts'
import type { Received, Socket } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'
import { publishPublic } from './publish.ts'

/** Nobody is pinged, and no token looked at again, while statements are counted. */
const NEVER = { beatMs: 3_600_000, checkMs: 3_600_000 }

// Without a worker: the tests run effects themselves, so that nothing but what is counted asks the database.
const world = await openWorld({ effects: false })
const { ctx } = world
const { origin, close } = await serveStreams(ctx, NEVER)
after(async () => {
  await close()
  await world.close()
})

const busy = await openWorld()
const streams = await serveStreams(busy.ctx, NEVER)
after(async () => {
  await streams.close()
  await busy.close()
})

async function filter(person: Person, keyword: string): Promise<string> {
  const body = { title: keyword, context: ['home'], keywords_attributes: [{ keyword }] }
  return (await person.client.post('/api/v2/filters', body)).body.id
}

const eventsOf = ({ received }: Socket) => received.map((one) => `${one.stream.join()} ${one.event}`)

test('each change of filters is told on the user stream of that person alone, without a payload', async () => {
  const [person, other] = [await busy.createPerson(), await busy.createPerson()]
  const sockets = await Promise.all([person, other].map(({ token }) => openSocket(streams.origin, { token })))
  const [own, others] = sockets as [Socket, Socket]
  await Promise.all(sockets.map((socket) => socket.subscribe('user', 'user:notification', 'public')))
  const events = await openEventStream(streams.origin, { path: '/api/v1/streaming/user', token: person.token })
  const id = await filter(person, 'cat')
  await until(() => own.received.length === 1)
  assert.deepEqual(own.received[0], { stream: ['user'], event: 'filters_changed' })
  await until(() => events.text().endsWith('event: filters_changed\ndata:\n\n'))
  await person.client.post(`/api/v2/filters/${id}/keywords`, { keyword: 'dog' })
  await until(() => own.received.length === 2)
  const old = await person.client.post('/api/v1/filters', { phrase: 'bird', context: ['home'] })
  await until(() => own.received.length === 3)
  await person.client.delete(`/api/v1/filters/${old.body.id}`)
  await person.client.delete(`/api/v2/filters/${id}`)
  await until(() => own.received.length === 5)
  assert.equal((await person.client.post('/api/v2/filters', {})).status, 422)
  await busy.settle()
  assert.deepEqual(new Set(eventsOf(own)), new Set(['user filters_changed']))
  assert.deepEqual([own.received.length, others.received], [5, []])
  events.request.destroy()
})

test('each reader of a stream is told which of their own filters a status runs into', async () => {
  const [author, catty, doggy, plain] = (await Promise.all(
    Array.from({ length: 4 }, async () => world.createPerson()),
  )) as [Person, Person, Person, Person]
  for (const reader of [catty, doggy, plain]) {
    await reader.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  }
  for (const reader of [author, catty]) await filter(reader, 'cat')
  await filter(doggy, 'dog')
  const sockets = new Map<Person, Socket>()
  for (const reader of [author, catty, doggy, plain]) {
    const socket = await openSocket(origin, { token: reader.token, stream: 'user' })
    await socket.subscribe('public')
    sockets.set(reader, socket)
  }
  const { body } = await author.client.post('/api/v1/statuses', { status: 'A cat' })
  await addToFeeds(ctx, { statusId: body.id })
  await publishPublic(ctx, { statusId: body.id })
  const heard = async (person: Person) => {
    const { received } = sockets.get(person)!
    await until(() => received.length === 2)
    const find = (name: string) => statusOf(received.find(({ stream }) => stream[0] === name)!)
    return { home: find('user'), open: find('public') }
  }
  for (const reader of [author, catty, doggy, plain]) {
    const { home, open } = await heard(reader)
    const { body: shown } = await reader.client.get(`/api/v1/statuses/${body.id}`)
    assert.deepEqual(home, shown)
    assert.equal(home.filtered?.length, reader === catty ? 1 : 0)
    assert.deepEqual(open.filtered, reader === catty ? home.filtered : undefined)
    assert.ok(!('favourited' in open))
  }
})

test('a notification tells it as well', async () => {
  const [author, reader] = [await busy.createPerson(), await busy.createPerson()]
  await filter(reader, 'cat')
  const { acct } = (await reader.client.get('/api/v1/accounts/verify_credentials')).body
  const socket = await openSocket(streams.origin, { token: reader.token, stream: 'user:notification' })
  await author.client.post('/api/v1/statuses', { status: `A cat for @${acct}` })
  const found = await until(() => socket.received.find(({ event }) => event === 'notification'))
  assert.deepEqual(JSON.parse(found.payload).status.filtered[0].keyword_matches, ['cat'])
})

test('fifty readers with filters of their own take as many statements as one', async () => {
  const author = await world.createPerson()
  const sockets: Socket[] = []
  const costs: number[] = []
  for (const wanted of [1, 50]) {
    const people = await Promise.all(Array.from({ length: wanted - sockets.length }, async () => world.createPerson()))
    await ctx.db
      .insertInto('follows')
      .values(people.map(({ accountId }) => ({ account_id: accountId, target_account_id: author.accountId })))
      .execute()
    await Promise.all(people.map(async (person) => filter(person, 'cat')))
    sockets.push(...(await Promise.all(people.map(async ({ token }) => openSocket(origin, { token, stream: 'user' })))))
    await Promise.all(sockets.map(async (socket) => socket.subscribe('public')))
    const { body } = await author.client.post('/api/v1/statuses', { status: 'A cat' })
    const isIt = (one: Received, name: string) => one.stream[0] === name && one.payload.includes(`"${body.id}"`)
    const all = (name: string) => until(() => sockets.every(({ received }) => received.some((one) => isIt(one, name))))
    costs.push(
      await countQueries(async () => {
        await addToFeeds(ctx, { statusId: body.id })
        await all('user')
        await publishPublic(ctx, { statusId: body.id })
        await all('public')
      }),
    )
    for (const { received } of sockets) {
      assert.ok(received.every((one) => statusOf(one).filtered?.length === 1))
    }
  }
  assert.equal(costs[1], costs[0])
})
