import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { issueScoped, openEventStream, openSocket, serveStreams, statusOf, until } from '../../test/streams.ts'
import type { Socket } from '../../test/streams.ts'
import { makeRemote, makeRemoteStatus } from '../../test/remote.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'
import { tellHomes } from '../domain/stream-news.ts'

const world = await openWorld()
const { origin, close } = await serveStreams(world.ctx)
after(async () => {
  await close()
  await world.close()
})

async function people(n: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: n }, async () => world.createPerson()))
}

async function post(person: Person, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await person.client.post('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200)
  await world.settle()
  return body.id
}

async function makeList(owner: Person, ...members: Person[]): Promise<string> {
  for (const one of members) await owner.client.post(`/api/v1/accounts/${one.accountId}/follow`)
  const { body } = await owner.client.post('/api/v1/lists', { title: 'L' })
  const added = { account_ids: members.map((one) => one.accountId) }
  assert.equal((await owner.client.post(`/api/v1/lists/${body.id}/accounts`, added)).status, 200)
  await world.settle()
  return body.id
}

const linesOf = ({ received }: Socket) =>
  received.map(({ stream, event, payload }) => {
    const id = payload.startsWith('{') ? statusOf({ payload }).id : payload
    return `${stream.join(' ')}: ${event} ${id}`
  })

/** Subscribes to a list, which the server has to look for first: that there is no list 404 turns out after it. */
async function hearList(socket: Socket, list: string): Promise<void> {
  const before = socket.errors.length
  socket.send({ type: 'subscribe', stream: 'list', list })
  socket.send({ type: 'subscribe', stream: 'list', list: '404' })
  await until(() => socket.errors.length > before)
}

test('a list has a stream of its own: what comes onto it, its edits, and its end', async () => {
  const [ann, bob, eve] = (await people(3)) as [Person, Person, Person]
  const list = await makeList(ann, bob)
  const socket = await openSocket(origin, { token: ann.token, path: `/api/v1/streaming?stream=list&list=${list}` })
  await hearList(socket, list)
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

test('ST3 VI16 whom the owner of a list mutes is not heard on it', async () => {
  const [ann, bob, sue] = (await people(3)) as [Person, Person, Person]
  const list = await makeList(ann, bob, sue)
  const socket = await openSocket(origin, { token: ann.token })
  await hearList(socket, list)
  await ann.client.post(`/api/v1/accounts/${bob.accountId}/mute`)
  await post(bob, 'muted')
  const id = await post(sue, 'heard')
  await until(() => socket.received.length > 0)
  assert.deepEqual(linesOf(socket), [`list ${list}: update ${id}`])
  socket.ws.terminate()
})

test('ST1 the list of somebody else, or none, is refused, and so is a hashtag or a list without a name', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const list = await makeList(bob)
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
  const { token } = await issueScoped(world.ctx, { person: bob, scopes: 'read:lists' })
  for (const [path, token_, status, error] of [
    [`list?list=${list}`, ann.token, 401, refused.error],
    [`list?list=${list}`, token, 401, 'Access token does not have the required scopes'],
    ['list', ann.token, 400, 'Missing list name parameter'],
    ['hashtag', ann.token, 400, nameless.error],
    ['hashtag/local?tag=', ann.token, 400, nameless.error],
  ] as const) {
    const answer = await openEventStream(origin, { path: `/api/v1/streaming/${path}`, token: token_ })
    await until(() => answer.text() !== '')
    assert.deepEqual([answer.status, JSON.parse(answer.text())], [status, { error }], path)
  }
})

test('a hashtag has a stream, by any spelling, with answers, and one for what is of here', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const far = await makeRemote(world.ctx)
  const socket = await openSocket(origin, { token: ann.token })
  socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'BirdWatch' })
  socket.send({ type: 'subscribe', stream: 'hashtag:local', tag: 'birdwatch' })
  await socket.subscribe()
  const first = await post(bob, 'look #birdwatch')
  const answer = await post(ann, 'oh #BIRDWATCH', { in_reply_to_id: first })
  for (const visibility of ['unlisted', 'private', 'direct']) await post(bob, '#birdwatch', { visibility })
  await post(bob, '#birdwatching')
  await bob.client.post(`/api/v1/statuses/${answer}/reblog`)
  const hashtags = new Map([['birdwatch', 'BirdWatch']])
  const remote = await makeRemoteStatus(world.ctx, { accountId: far, hashtags, publishedAt: new Date() })
  await world.settle()
  await until(() => socket.received.length >= 5)
  assert.deepEqual(
    linesOf(socket).toSorted(),
    [
      ...[first, answer].flatMap((id) => [`hashtag BirdWatch: update ${id}`, `hashtag:local birdwatch: update ${id}`]),
      `hashtag BirdWatch: update ${remote}`,
    ].toSorted(),
  )
  socket.received.length = 0
  socket.send({ type: 'unsubscribe', stream: 'hashtag:local', tag: 'birdwatch' })
  await socket.subscribe()
  await bob.client.put(`/api/v1/statuses/${first}`, { status: 'look there #birdwatch' })
  await world.settle()
  await bob.client.delete(`/api/v1/statuses/${first}`)
  await until(() => socket.received.length === 2)
  assert.deepEqual(
    linesOf(socket),
    ['status.update', 'delete'].map((event) => `hashtag BirdWatch: ${event} ${first}`),
  )
  socket.ws.terminate()
})

test('the deletion of a status comes only on the streams of its own hashtags', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  await ann.client.post('/api/v1/tags/swifts/follow')
  const socket = await openSocket(origin, { token: ann.token })
  for (const tag of ['swifts', 'swallows']) socket.send({ type: 'subscribe', stream: 'hashtag', tag })
  await socket.subscribe('user')
  const [other, plain] = [await post(bob, 'no bird #plane'), await post(bob, 'no hashtag')]
  const [first, second] = [await post(bob, 'high up #swifts'), await post(bob, 'low #swallows')]
  for (const id of [other, plain, first, second]) {
    await bob.client.delete(`/api/v1/statuses/${id}`)
    await world.settle()
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

test('ST3 between people who block each other nothing comes by a hashtag, and nothing where it is switched off', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const stream = await openEventStream(origin, { path: '/api/v1/streaming/hashtag?tag=quiet', token: ann.token })
  const user = await openEventStream(origin, { path: '/api/v1/streaming/user', token: ann.token })
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/block`)
  await post(bob, 'one #quiet')
  await bob.client.post(`/api/v1/accounts/${ann.accountId}/unblock`)
  const switched = { name: 'local_topic_feed_access', value: '"disabled"' }
  await world.ctx.db.insertInto('settings').values(switched).execute()
  await post(bob, 'two #quiet')
  // The streams of a process publish one event after the other: then the second post has been dealt with.
  await tellHomes(world.ctx.bus, { event: 'delete', statusId: '1', accountIds: [ann.accountId] })
  await until(() => user.events().some(({ payload }) => payload === '1'))
  await world.ctx.db.deleteFrom('settings').where('name', '=', switched.name).execute()
  const id = await post(bob, 'three #quiet')
  await until(() => stream.events().length > 0)
  assert.deepEqual(
    stream.events().map(({ event, payload }) => [event, statusOf({ payload }).id]),
    [['update', id]],
  )
  for (const { request } of [stream, user]) request.destroy()
})

test('ST4 one connection has a hundred streams; one more is refused and the others stay', async () => {
  const ann = await world.createPerson()
  const socket = await openSocket(origin, { token: ann.token })
  for (let n = 0; n < 101; n += 1) socket.send({ type: 'subscribe', stream: 'hashtag', tag: `many${n}` })
  await socket.subscribe()
  assert.deepEqual(socket.errors, [{ error: 'No more than 100 streams on one connection', status: 400 }])
  const id = await post(ann, '#many7 #many100')
  await until(() => socket.received.length > 0)
  assert.deepEqual(linesOf(socket), [`hashtag many7: update ${id}`])
  socket.ws.terminate()
})
