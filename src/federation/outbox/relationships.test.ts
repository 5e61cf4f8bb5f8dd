import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import type { Person } from '../../../test/world.ts'

const fediverse = await openFediverse({ hosts: ['rude.test', 'deep.rude.test', 'kind.test'] })
const { world, peer, uriOf, deliver, befriend } = fediverse
after(fediverse.close)

const keys = (await peer.host('kind.test').createActor('maker')).keys
let names = 0
const createActor = (host: string) => {
  names += 1
  return peer.host(host).createActor(`actor${names}`, { keys })
}

const inboxes: PeerActor['inbox'][] = []
beforeEach(async () => {
  await world.settle()
  for (const inbox of inboxes) inbox.clear()
})

const follow = (actor: PeerActor, person: Person) => actor.activity('Follow', uriOf(person))

async function accountOf(person: Person, actor: PeerActor): Promise<string> {
  const { body } = await person.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
  assert.equal(body[0].acct, actor.handle)
  return body[0].id
}

/** What somebody here sent to an actor: its type and what it is about, in order. */
async function told(actor: PeerActor, person: Person): Promise<[type: string, about: string][]> {
  await world.settle()
  inboxes.push(actor.inbox)
  return actor.inbox.received
    .map(({ activity }) => activity)
    .filter((activity: Activity) => activity['actor'] === uriOf(person))
    .map(({ type, object }) => [type, typeof object === 'string' ? object : object.id])
}

async function relation(person: Person, id: string) {
  const { body } = await person.client.get('/api/v1/accounts/relationships', { id: [id] })
  return body[0]
}

test('a domain that is blocked hears of each follow and request that ends, and of nothing else', async () => {
  const [person, locked] = [await world.createPerson(), await world.createPerson({ locked: true })]
  const [friend, fan, asked, kind] = [
    await createActor('rude.test'),
    await createActor('deep.rude.test'),
    await createActor('rude.test'),
    await createActor('kind.test'),
  ]
  await befriend(person, friend)
  await befriend(person, kind)
  await person.client.post(`/api/v1/accounts/${await accountOf(person, asked)}/follow`)
  const [ofFan, ofKind, toLocked] = [follow(fan, person), follow(kind, person), follow(fan, locked)]
  await deliver(fan, ofFan, toLocked)
  await deliver(kind, ofKind)
  const before = new Map<PeerActor, [string, string][]>()
  for (const actor of [friend, fan, asked, kind]) before.set(actor, await told(actor, person))
  const [[, ofPerson]] = before.get(friend) as [[string, string]]
  assert.deepEqual(
    before.get(friend)!.map(([type]) => type),
    ['Follow'],
  )
  assert.equal(ofPerson, friend.id)
  const idOfFollow = (actor: PeerActor) =>
    actor.inbox.received.find(({ activity }) => activity['type'] === 'Follow' && activity['actor'] === uriOf(person))!
      .activity['id']

  assert.equal((await person.client.post('/api/v1/domain_blocks', { domain: 'RUDE.test' })).status, 200)
  await locked.client.post('/api/v1/domain_blocks', { domain: 'rude.test' })
  const since = async (actor: PeerActor) => (await told(actor, person)).slice(before.get(actor)!.length)
  assert.deepEqual(await since(friend), [['Undo', idOfFollow(friend)]])
  assert.deepEqual(await since(fan), [['Reject', ofFan['id']]])
  assert.deepEqual(await since(asked), [['Undo', idOfFollow(asked)]])
  assert.deepEqual(await since(kind), [])
  assert.deepEqual(await told(fan, locked), [['Reject', toLocked['id']]])

  await person.client.delete('/api/v1/domain_blocks', { domain: 'rude.test' })
  assert.deepEqual([(await since(friend)).length, (await since(fan)).length], [1, 1])
})

test('whoever is of a blocked domain is refused when they ask, and an answer that comes too late changes nothing', async () => {
  const person = await world.createPerson()
  const [late, rude] = [await createActor('rude.test'), await createActor('deep.rude.test')]
  const id = await accountOf(person, late)
  await person.client.post(`/api/v1/accounts/${id}/follow`)
  const { activity: asked } = await late.inbox.next(({ type }) => type === 'Follow')
  await person.client.post('/api/v1/domain_blocks', { domain: 'rude.test' })
  await deliver(late, late.activity('Accept', asked))
  assert.equal((await relation(person, id)).following, false)
  const activity = follow(rude, person)
  await deliver(rude, activity)
  assert.deepEqual(await told(rude, person), [['Reject', activity['id']]])
  const shown = await relation(person, await accountOf(person, rude))
  assert.deepEqual([shown.followed_by, shown.domain_blocking], [false, true])
})

test('VI15 nobody of a domain that the author blocks is given a post, not even a public one that they ask for with their key', async () => {
  const person = await world.createPerson()
  const { body: status } = await person.client.post('/api/v1/statuses', { status: 'hello, most of you' })
  const [rude, kind] = [await createActor('deep.rude.test'), await createActor('kind.test')]
  for (const actor of [rude, kind]) await accountOf(person, actor)
  const statuses = async () => [(await rude.get(status.uri)).status, (await kind.get(status.uri)).status]
  assert.deepEqual(await statuses(), [200, 200])
  await person.client.post('/api/v1/domain_blocks', { domain: 'rude.test' })
  assert.deepEqual(await statuses(), [404, 200])
})

test('a follower who is removed, a block, and a door that is opened: each server hears its part', async () => {
  const person = await world.createPerson({ locked: true })
  const [removed, blocked, waiting] = [
    await createActor('kind.test'),
    await createActor('kind.test'),
    await createActor('rude.test'),
  ]
  const activities = [removed, blocked, waiting].map((actor) => follow(actor, person))
  for (const [n, actor] of [removed, blocked, waiting].entries()) await deliver(actor, activities[n]!)
  const ids = await Promise.all([removed, blocked].map((actor) => accountOf(person, actor)))
  for (const id of ids) await person.client.post(`/api/v1/follow_requests/${id}/authorize`)
  // What is sent to one server at once comes in no order.
  await world.settle()
  await befriend(person, blocked)
  await world.settle()
  await person.client.post(`/api/v1/accounts/${ids[0]}/remove_from_followers`)
  await person.client.post(`/api/v1/accounts/${ids[1]}/block`)
  await person.client.patch('/api/v1/accounts/update_credentials', { locked: false })
  assert.deepEqual(
    (await told(removed, person)).filter(([type]) => type !== 'Update'),
    [
      ['Accept', activities[0]!['id']],
      ['Reject', activities[0]!['id']],
    ],
  )
  const toBlocked = (await told(blocked, person)).map(([type]) => type).filter((type) => type !== 'Update')
  assert.deepEqual(toBlocked.slice(0, 2), ['Accept', 'Follow'])
  assert.deepEqual(toBlocked.slice(2).toSorted(), ['Block', 'Reject', 'Undo'])
  assert.deepEqual(
    (await told(waiting, person)).filter(([type]) => type !== 'Update'),
    [['Accept', activities[2]!['id']]],
  )
})
