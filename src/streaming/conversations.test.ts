import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hearAll, heardBy } from '../../test/hearing.ts'
import { issueScoped, openEventStream, openSocket, serveStreams, until } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'
import { assertOnWire } from '../../test/wire.ts'
import type { Conversation } from '../entities/conversation.ts'

const world = await openWorld()
const { origin, close } = await serveStreams(world.ctx)
after(async () => {
  await close()
  await world.close()
})

async function people(n: number): Promise<Person[]> {
  return Promise.all(Array.from({ length: n }, async () => world.createPerson()))
}

async function say(from: Person, to: readonly Person[], more: object = {}): Promise<string> {
  const status = [...to.map((one) => `@${one.username}`), 'psst'].join(' ')
  const answer = await from.client.post('/api/v1/statuses', { status, visibility: 'direct', ...more })
  assert.equal(answer.status, 200)
  return answer.body.id
}

async function firstOf(person: Person): Promise<Conversation> {
  const { body } = await person.client.get<Conversation[]>('/api/v1/conversations')
  return body[0]!
}

test('VI8 what is written to somebody comes as a conversation to both, and to nobody else', async () => {
  const [ann, bob, eve] = (await people(3)) as [Person, Person, Person]
  await eve.client.post(`/api/v1/accounts/${ann.accountId}/follow`)
  await world.settle()
  const sockets = await hearAll(origin, { people: { ann, bob, eve }, streams: ['direct', 'user'] })
  const id = await say(ann, [bob])
  await until(() => sockets.bob.socket.received.some((one) => one.event === 'conversation'))
  const seen = JSON.parse(sockets.bob.socket.received.find((one) => one.event === 'conversation')!.payload)
  assertOnWire('Conversation', seen)
  assert.deepEqual(seen, await firstOf(bob))
  assert.deepEqual([seen.unread, seen.last_status?.id], [true, id])
  const heard = await heardBy(world, sockets)
  const direct = (lines: string[]) => lines.filter((line) => line.startsWith('direct'))
  assert.deepEqual(direct(heard.ann), [`direct conversation ${(await firstOf(ann)).id}`])
  assert.deepEqual(direct(heard.bob), [`direct conversation ${(await firstOf(bob)).id}`])
  assert.deepEqual(heard.eve, [])
})

test('an edit comes to whoever has the status in a conversation, and as a conversation to whom it names anew', async () => {
  const [ann, bob, eve] = (await people(3)) as [Person, Person, Person]
  const id = await say(ann, [bob])
  await world.settle()
  const hearers = await hearAll(origin, { people: { ann, bob, eve }, streams: ['direct'] })
  const edit = async (status: string) => {
    assert.equal((await ann.client.put(`/api/v1/statuses/${id}`, { status })).status, 200)
    await world.settle()
  }
  const lines = ({ socket }: { socket: { received: { event: string }[] } }) => socket.received.map((one) => one.event)
  await edit(`@${bob.username} hush`)
  await until(() => [hearers.ann, hearers.bob].every((one) => lines(one).includes('status.update')))
  assert.deepEqual(
    [lines(hearers.ann), lines(hearers.bob), lines(hearers.eve)],
    [['status.update'], ['status.update'], []],
  )
  await edit(`@${eve.username} hush`)
  await until(() => lines(hearers.eve).includes('conversation'))
  const [told] = hearers.eve.socket.received.filter((one) => one.event === 'conversation')
  assert.equal((JSON.parse(told!.payload) as Conversation).accounts[0]!.id, ann.accountId)
})

test('ST3 VI16 nothing comes from a talk with somebody whom one mutes or blocks', async () => {
  const [ann, bob, eve, sue] = (await people(4)) as [Person, Person, Person, Person]
  const first = await say(eve, [ann])
  await world.settle()
  const socket = await openSocket(origin, { token: ann.token })
  await socket.subscribe('direct')
  await ann.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  await ann.client.post(`/api/v1/accounts/${eve.accountId}/mute`)
  await say(bob, [ann])
  await say(eve, [ann])
  await say(sue, [ann, eve])
  await eve.client.put(`/api/v1/statuses/${first}`, { status: `@${ann.username} hush` })
  await world.settle()
  const last = await say(sue, [ann])
  await until(() => socket.received.length > 0)
  assert.deepEqual(
    socket.received.map((one) => [one.stream, one.event, (JSON.parse(one.payload) as Conversation).last_status!.id]),
    [[['direct'], 'conversation', last]],
  )
})

test('ST1 the stream of conversations needs the scope of statuses, and is there as server-sent events', async () => {
  const [ann, bob] = (await people(2)) as [Person, Person]
  const { token } = await issueScoped(world.ctx, { person: bob, scopes: 'read:notifications' })
  const refused = await openEventStream(origin, { path: '/api/v1/streaming/direct', token })
  assert.equal(refused.status, 401)
  const stream = await openEventStream(origin, { path: '/api/v1/streaming/direct', token: bob.token })
  assert.equal(stream.status, 200)
  const id = await say(ann, [bob])
  const [told] = await until(() => (stream.events().length > 0 ? stream.events() : null))
  assert.equal(told!.event, 'conversation')
  assert.equal((JSON.parse(told!.payload) as Conversation).last_status!.id, id)
  stream.request.destroy()
})
