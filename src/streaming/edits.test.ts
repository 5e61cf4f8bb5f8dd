import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { hearAll, heardBy } from '../../test/hearing.ts'
import { issueScoped, openSocket, serveStreams, statusOf, until } from '../../test/streams.ts'
import type { Socket } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'

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
  return body.id
}

async function edit(person: Person, id: string, status: string): Promise<void> {
  assert.equal((await person.client.put(`/api/v1/statuses/${id}`, { status })).status, 200)
}

test('an edit comes where the status is: to home feeds and public streams, and to whom it mentions', async () => {
  const [author, follower, muter, mentioned, stranger] = (await people(5)) as [Person, Person, Person, Person, Person]
  for (const one of [follower, muter]) await one.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  await world.settle()
  const open = await post(author, 'open')
  const inner = await post(author, 'inner', { visibility: 'private' })
  await muter.client.post(`/api/v1/accounts/${author.accountId}/mute`)
  await world.settle()
  const sockets = await hearAll(origin, {
    people: { author, follower, muter, mentioned, stranger },
    streams: ['user', 'public:local'],
  })
  await edit(author, open, 'open, edited')
  await world.settle()
  await edit(author, inner, `inner, for @${mentioned.username}`)
  const heard = await heardBy(world, sockets)
  const everywhere = [`public:local status.update ${open}`, `user status.update ${open}`]
  assert.deepEqual(heard['author']?.toSorted(), [...everywhere, `user status.update ${inner}`].toSorted())
  assert.deepEqual(heard['follower']?.toSorted(), [...everywhere, `user status.update ${inner}`].toSorted())
  assert.deepEqual(heard['muter'], [])
  assert.deepEqual(heard['stranger'], [`public:local status.update ${open}`])
  const own = heard['mentioned']?.filter((line) => line.endsWith(inner))
  assert.ok(own?.includes(`user status.update ${inner}`), String(heard['mentioned']))
})

test('an edit is written as each reader sees it, and needs the scope of statuses', async () => {
  const [author, reader] = (await people(2)) as [Person, Person]
  const id = await post(author, `hi @${reader.username}`)
  await reader.client.post(`/api/v1/statuses/${id}/favourite`)
  await world.settle()
  const narrow = await issueScoped(world.ctx, { person: reader, scopes: 'read:notifications' })
  const full = await openSocket(origin, { token: reader.token, stream: 'user:notification' })
  const blind = await openSocket(origin, { token: narrow.token, stream: 'user:notification' })
  await edit(author, id, `hello @${reader.username}`)
  await world.settle()
  // What comes after it through the same line shows that all has come.
  await post(author, `bye @${reader.username}`)
  const events = ({ received }: Socket) => received.map(({ event }) => event)
  await until(() => [full, blind].every((one) => events(one).includes('notification')))
  assert.deepEqual([events(full), events(blind)], [['status.update', 'notification'], ['notification']])
  const status = statusOf(full.received[0]!)
  assert.deepEqual([status.favourited, /hello/.test(status.content!)], [true, true])
  for (const one of [full, blind]) one.ws.close()
})
