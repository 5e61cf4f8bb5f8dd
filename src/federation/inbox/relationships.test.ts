import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import type { Person } from '../../../test/world.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, uriOf, origin, deliver, notified } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const mallory = await peer.host('other.test').createActor('mallory', { keys: bob.keys })
let names = 0
const stranger = () => remote.createActor(`stranger${(names += 1)}`, { keys: bob.keys })

const follow = (actor: PeerActor, person: Person) => actor.activity('Follow', uriOf(person))

async function accountOf(person: Person, actor: PeerActor): Promise<string> {
  const { body } = await person.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
  assert.equal(body[0].acct, actor.handle)
  return body[0].id
}

async function relation(person: Person, actor: PeerActor) {
  const { body } = await person.client.get('/api/v1/accounts/relationships', { id: [await accountOf(person, actor)] })
  return body[0]
}

/** Follows somebody elsewhere. Gives the activity that they got. */
async function ask(person: Person, actor: PeerActor): Promise<Activity> {
  const id = await accountOf(person, actor)
  await person.client.post(`/api/v1/accounts/${id}/follow`)
  const { activity } = await actor.inbox.next(({ type, object }) => type === 'Follow' && object === actor.id)
  return activity
}

/** Whether the follow is in place, which the answers to clients only assume before it is. */
async function isInPlace(person: Person, actor: PeerActor): Promise<boolean> {
  const { rows } = await sql`
    select from follows f join accounts a on a.id = f.target_account_id
    where f.account_id = ${person.accountId} and a.uri = ${actor.id}`.execute(db)
  return rows.length > 0
}

suite('somebody elsewhere follows', () => {
  test('an open account at once, and hears so; asking again is answered again', async () => {
    const person = await world.createPerson()
    const [first, second] = [follow(bob, person), follow(bob, person)]
    await deliver(bob, first, second)
    const accepts = [await bob.inbox.next(), await bob.inbox.next()]
    assert.deepEqual(
      accepts.map(({ activity }) => [activity['type'], activity['actor'], activity['object'].id]),
      [first, second].map(({ id }) => ['Accept', uriOf(person), id]),
    )
    assert.equal((await relation(person, bob)).followed_by, true)
    assert.deepEqual(await notified(person), ['follow'])
  })

  test('a locked account once its owner agrees', async () => {
    const person = await world.createPerson({ locked: true })
    const activity = follow(bob, person)
    await deliver(bob, activity)
    assert.deepEqual(await notified(person), ['follow_request'])
    const { body } = await person.client.get('/api/v1/follow_requests')
    await person.client.post(`/api/v1/follow_requests/${body[0].id}/authorize`)
    const accept = await bob.inbox.next(({ type, actor }) => type === 'Accept' && actor === uriOf(person))
    assert.equal(accept.activity['object'].id, activity['id'])
  })

  test('FP1 nobody who blocks them, and hears that they do not', async () => {
    const person = await world.createPerson()
    await person.client.post(`/api/v1/accounts/${await accountOf(person, bob)}/block`)
    const activity = follow(bob, person)
    await deliver(bob, activity)
    const reject = await bob.inbox.next(({ type, actor }) => type === 'Reject' && actor === uriOf(person))
    assert.equal(reject.activity['object'].id, activity['id'])
    assert.equal((await relation(person, bob)).followed_by, false)
    assert.deepEqual(await notified(person), [])
  })

  test('and stops, however the follow is named', async () => {
    const person = await world.createPerson()
    const forms = [
      (activity: Activity) => activity,
      (activity: Activity) => activity['id'],
      (activity: Activity) => ({ ...activity, id: undefined }),
      (activity: Activity) => ({ ...activity, id: `${activity['id']}-other` }),
    ]
    for (const form of forms) {
      const activity = follow(bob, person)
      await deliver(bob, activity)
      assert.equal((await relation(person, bob)).followed_by, true)
      await deliver(bob, bob.activity('Undo', form(activity)))
      assert.equal((await relation(person, bob)).followed_by, false)
    }
    assert.deepEqual(await notified(person), [])
  })

  test('FP6 not if the end came before the beginning', async () => {
    const person = await world.createPerson()
    const [activity, another] = [follow(bob, person), follow(bob, person)]
    await deliver(bob, bob.activity('Undo', activity), bob.activity('Undo', another['id']), activity, another)
    assert.equal((await relation(person, bob)).followed_by, false)
    const fresh = await stranger()
    const theirs = follow(fresh, person)
    await deliver(fresh, fresh.activity('Undo', theirs), theirs)
    assert.equal((await relation(person, fresh)).followed_by, false)
    await deliver(bob, follow(bob, person))
    assert.equal((await relation(person, bob)).followed_by, true)
  })

  test('IN16 and nobody else can end it', async () => {
    const person = await world.createPerson()
    const activity = follow(bob, person)
    await deliver(bob, activity)
    const neighbour = await stranger()
    await deliver(mallory, mallory.activity('Undo', activity), mallory.activity('Undo', activity['id']))
    await deliver(neighbour, neighbour.activity('Undo', activity), neighbour.activity('Undo', activity['id']))
    await deliver(mallory, mallory.activity('Undo', { ...activity, actor: mallory.id }))
    assert.equal((await relation(person, bob)).followed_by, true)
  })
})

suite('somebody here follows', () => {
  test('IN18 nobody elsewhere before they agree, in whichever form', async () => {
    const forms = [
      (activity: Activity) => activity,
      (activity: Activity) => activity['id'],
      (activity: Activity) => ({ ...activity, id: undefined }),
      (activity: Activity) => ({ ...activity, id: 'https://remote.test/their-own-name-for-it' }),
    ]
    for (const form of forms) {
      const [person, actor] = [await world.createPerson(), await stranger()]
      const activity = await ask(person, actor)
      const secret = actor.note({ to: [actor.followersUrl], cc: [] })
      await deliver(actor, actor.activity('Create', secret))
      assert.equal(await isInPlace(person, actor), false)
      await deliver(actor, actor.activity('Accept', form(activity)))
      assert.equal(await isInPlace(person, actor), true)
      const { body } = await person.client.get('/api/v1/timelines/home')
      assert.deepEqual(body, [])
      await deliver(actor, actor.activity('Create', actor.note({ to: [actor.followersUrl], cc: [] })))
      assert.equal((await person.client.get('/api/v1/timelines/home')).body.length, 1)
    }
  })

  test('IN18 nobody who turns them down, also later', async () => {
    const [person, actor] = [await world.createPerson(), await stranger()]
    const activity = await ask(person, actor)
    await deliver(actor, actor.activity('Reject', activity))
    assert.equal((await relation(person, actor)).requested, false)
    const another = await ask(person, actor)
    await deliver(actor, actor.activity('Accept', another))
    await deliver(actor, actor.activity('Create', actor.note({ to: [actor.followersUrl], cc: [] })))
    assert.equal((await person.client.get('/api/v1/timelines/home')).body.length, 1)
    await deliver(actor, actor.activity('Reject', another['id']))
    assert.equal(await isInPlace(person, actor), false)
    assert.deepEqual((await person.client.get('/api/v1/timelines/home')).body, [])
  })

  test('nobody any more who takes their agreement back', async () => {
    const [person, actor] = [await world.createPerson(), await stranger()]
    const accept = actor.activity('Accept', await ask(person, actor))
    await deliver(actor, accept, actor.activity('Undo', accept))
    assert.equal(await isInPlace(person, actor), false)
  })

  test('IN17 nobody by the word of somebody else, or for no request', async () => {
    const [person, actor, neighbour] = [await world.createPerson(), await stranger(), await stranger()]
    const activity = await ask(person, actor)
    for (const other of [mallory, neighbour]) {
      await deliver(other, other.activity('Accept', activity), other.activity('Accept', activity['id']))
      await deliver(other, other.activity('Accept', { ...activity, object: other.id }))
      await deliver(other, other.activity('Reject', activity), other.activity('Reject', activity['id']))
      assert.equal(await isInPlace(person, other), false)
    }
    assert.equal(await isInPlace(person, actor), false)
    await deliver(actor, actor.activity('Accept', activity))
    assert.equal(await isInPlace(person, actor), true)
  })

  test('IN17 nobody whom they had stopped asking', async () => {
    const [person, actor] = [await world.createPerson(), await stranger()]
    const activity = await ask(person, actor)
    await person.client.post(`/api/v1/accounts/${await accountOf(person, actor)}/unfollow`)
    for (const object of [activity, activity['id'], { ...activity, id: undefined }]) {
      await deliver(actor, actor.activity('Accept', object))
    }
    assert.equal(await isInPlace(person, actor), false)
    const newer = await ask(person, actor)
    await deliver(actor, actor.activity('Accept', activity))
    assert.equal(await isInPlace(person, actor), false)
    await deliver(actor, actor.activity('Reject', activity))
    await deliver(actor, actor.activity('Accept', newer))
    assert.equal(await isInPlace(person, actor), true)
  })
})

suite('somebody elsewhere blocks', () => {
  test('and both sides are parted; the end of it brings nothing back', async () => {
    const [person, actor] = [await world.createPerson(), await stranger()]
    await deliver(actor, actor.activity('Accept', await ask(person, actor)), follow(actor, person))
    const block = actor.activity('Block', uriOf(person))
    await deliver(actor, block)
    const parted = await relation(person, actor)
    assert.deepEqual([parted.followed_by, parted.blocked_by, await isInPlace(person, actor)], [false, true, false])
    await deliver(mallory, mallory.activity('Undo', block))
    assert.equal((await relation(person, actor)).blocked_by, true)
    await deliver(actor, actor.activity('Undo', block['id']))
    assert.equal((await relation(person, actor)).blocked_by, false)
    assert.equal(await isInPlace(person, actor), false)
  })

  test('FP6 not if it was over before it came', async () => {
    const [person, actor] = [await world.createPerson(), await stranger()]
    const block = actor.activity('Block', uriOf(person))
    await deliver(actor, actor.activity('Like', `${origin}/x`), actor.activity('Undo', block), block)
    assert.equal((await relation(person, actor)).blocked_by, false)
  })
})

suite('somebody elsewhere likes', () => {
  const post = async (person: Person, body: object = {}) =>
    (await person.client.post('/api/v1/statuses', { status: 'like me', ...body })).body

  test('a status of here, once; reactions count as favourites', async () => {
    const person = await world.createPerson()
    const status = await post(person)
    const likes = [bob.activity('Like', status.uri), bob.activity('Like', { id: status.uri }, { content: '❤' })]
    await deliver(bob, ...likes)
    assert.deepEqual(await notified(person), ['favourite'])
    const { body } = await person.client.get(`/api/v1/statuses/${status.id}`)
    assert.equal(body.favourites_count, 1)
  })

  test('IN16 and takes it back; nobody else can', async () => {
    const person = await world.createPerson()
    const count = async (id: string) => (await person.client.get(`/api/v1/statuses/${id}`)).body.favourites_count
    for (const form of [(like: Activity) => like, (like: Activity) => like['id']]) {
      const status = await post(person)
      const activity = bob.activity('Like', status.uri)
      await deliver(bob, activity)
      await deliver(mallory, mallory.activity('Undo', form(activity)))
      assert.equal(await count(status.id), 1)
      await deliver(bob, bob.activity('Undo', form(activity)))
      assert.equal(await count(status.id), 0)
      const early = bob.activity('Like', status.uri)
      await deliver(bob, bob.activity('Undo', form(early)), early)
      assert.equal(await count(status.id), 0)
    }
  })

  test('nothing that they may not see, and nothing local', async () => {
    const person = await world.createPerson()
    for (const body of [{ visibility: 'private' }, { visibility: 'direct' }, { local_only: true }]) {
      const status = await post(person, body)
      await deliver(bob, bob.activity('Like', status.uri), bob.activity('Announce', status.uri))
      const seen = (await person.client.get(`/api/v1/statuses/${status.id}`)).body
      assert.deepEqual([seen.favourites_count, seen.reblogs_count], [0, 0])
    }
    assert.deepEqual(await notified(person), [])
  })
})
