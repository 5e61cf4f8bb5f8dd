import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { hearAll, heardBy } from '../../test/hearing.ts'
import { serveStreams } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'

const world = await openWorld()
const { ctx } = world
const { origin, close } = await serveStreams(ctx)
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

async function act(person: Person, verb: string, other: Person, terms: object = {}): Promise<void> {
  const { status } = await person.client.post(`/api/v1/accounts/${other.accountId}/${verb}`, terms)
  assert.equal(status, 200)
}

test('ST3: that a status is gone hear those who may have seen it', async () => {
  const [author, follower, mentioned, muter, blocker, stranger] = (await people(6)) as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  for (const person of [follower, muter]) await act(person, 'follow', author)
  const open = await post(author, `@${mentioned.username} hello`)
  const inner = await post(author, 'inside', { visibility: 'private' })
  await act(muter, 'mute', author)
  await act(blocker, 'block', author)
  await world.settle()
  const sockets = await hearAll(origin, {
    people: { author, follower, mentioned, muter, blocker, stranger },
    streams: ['user'],
  })
  await author.client.delete(`/api/v1/statuses/${open}`)
  const gone = [`user delete ${open}`]
  const none = { muter: [], blocker: [], stranger: [] }
  assert.deepEqual(await heardBy(world, sockets), { author: gone, follower: gone, mentioned: gone, ...none })
  await author.client.delete(`/api/v1/statuses/${inner}`)
  const innerGone = [`user delete ${inner}`]
  assert.deepEqual(await heardBy(world, sockets), { author: innerGone, follower: innerGone, mentioned: [], ...none })
})

test('a boost that is taken back, or that goes with its status, goes from the home of those who follow the booster', async () => {
  const [author, booster, follower, foe, stranger] = (await people(5)) as [Person, Person, Person, Person, Person]
  for (const person of [follower, foe]) await act(person, 'follow', booster)
  await act(foe, 'block', author)
  const id = await post(author, 'a song')
  const { body: first } = await booster.client.post(`/api/v1/statuses/${id}/reblog`)
  await world.settle()
  const sockets = await hearAll(origin, { people: { booster, follower, foe, stranger }, streams: ['user'] })
  await booster.client.post(`/api/v1/statuses/${id}/unreblog`)
  const gone = [`user delete ${first.id}`]
  const none = { foe: [], stranger: [] }
  assert.deepEqual(await heardBy(world, sockets), { booster: gone, follower: gone, ...none })

  const { body: second } = await booster.client.post(`/api/v1/statuses/${id}/reblog`)
  await heardBy(world, sockets)
  await author.client.delete(`/api/v1/statuses/${id}`)
  const both = [`user delete ${second.id}`]
  assert.deepEqual(await heardBy(world, sockets), { booster: both, follower: both, ...none })
})
