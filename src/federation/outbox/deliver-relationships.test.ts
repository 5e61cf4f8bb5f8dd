import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../test/federation/peer/inbox.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ hosts: ['rude.test', 'deep.rude.test', 'kind.test'] })
const { testServer, peer, uriOf, deliver, followEachOther } = fediverse
after(fediverse.close)

const keys = (await peer.host('kind.test').createActor('maker')).keys
let names = 0
const createActor = (host: string) => {
  names += 1
  return peer.host(host).createActor(`actor${names}`, { keys })
}

const inboxes: PeerActor['inbox'][] = []
beforeEach(async () => {
  await testServer.waitForJobs()
  for (const inbox of inboxes) inbox.clear()
})

const follow = (actor: PeerActor, user: TestUser) => actor.activity('Follow', uriOf(user))

async function accountOf(user: TestUser, actor: PeerActor): Promise<string> {
  const { body } = await user.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
  assert.equal(body[0].acct, actor.handle)
  return body[0].id
}

/** Returns the activities that a local user sent to an actor: their types and the ids of their objects, in order. */
async function activitiesFrom(actor: PeerActor, user: TestUser): Promise<[type: string, about: string][]> {
  await testServer.waitForJobs()
  inboxes.push(actor.inbox)
  return actor.inbox.received
    .map(({ activity }) => activity)
    .filter((activity: Activity) => activity['actor'] === uriOf(user))
    .map(({ type, object }) => [type, typeof object === 'string' ? object : object.id])
}

async function relationshipWith(user: TestUser, id: string) {
  const { body } = await user.client.get('/api/v1/accounts/relationships', { id: [id] })
  return body[0]
}

test('a user’s block of a domain sends an Undo or Reject for each follow and request, and nothing else', async () => {
  const [user, locked] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  const [friend, follower, requested, kind] = [
    await createActor('rude.test'),
    await createActor('deep.rude.test'),
    await createActor('rude.test'),
    await createActor('kind.test'),
  ]
  await followEachOther(user, friend)
  await followEachOther(user, kind)
  await user.client.post(`/api/v1/accounts/${await accountOf(user, requested)}/follow`)
  const [followOfFollower, followOfKind, followOfLocked] = [
    follow(follower, user),
    follow(kind, user),
    follow(follower, locked),
  ]
  await deliver(follower, followOfFollower, followOfLocked)
  await deliver(kind, followOfKind)
  const before = new Map<PeerActor, [string, string][]>()
  for (const actor of [friend, follower, requested, kind]) before.set(actor, await activitiesFrom(actor, user))
  const [[, followedId]] = before.get(friend) as [[string, string]]
  assert.deepEqual(
    before.get(friend)!.map(([type]) => type),
    ['Follow'],
  )
  assert.equal(followedId, friend.id)
  const idOfFollow = (actor: PeerActor) =>
    actor.inbox.received.find(({ activity }) => activity['type'] === 'Follow' && activity['actor'] === uriOf(user))!
      .activity['id']

  assert.equal((await user.client.post('/api/v1/domain_blocks', { domain: 'RUDE.test' })).status, 200)
  await locked.client.post('/api/v1/domain_blocks', { domain: 'rude.test' })
  const since = async (actor: PeerActor) => (await activitiesFrom(actor, user)).slice(before.get(actor)!.length)
  assert.deepEqual(await since(friend), [['Undo', idOfFollow(friend)]])
  assert.deepEqual(await since(follower), [['Reject', followOfFollower['id']]])
  assert.deepEqual(await since(requested), [['Undo', idOfFollow(requested)]])
  assert.deepEqual(await since(kind), [])
  assert.deepEqual(await activitiesFrom(follower, locked), [['Reject', followOfLocked['id']]])

  await user.client.delete('/api/v1/domain_blocks', { domain: 'rude.test' })
  assert.deepEqual([(await since(friend)).length, (await since(follower)).length], [1, 1])
})

test('a Follow from a blocked domain is rejected, and an Accept after the block has no effect', async () => {
  const user = await testServer.createUser()
  const [lateActor, rude] = [await createActor('rude.test'), await createActor('deep.rude.test')]
  const id = await accountOf(user, lateActor)
  await user.client.post(`/api/v1/accounts/${id}/follow`)
  const { activity: request } = await lateActor.inbox.next(({ type }) => type === 'Follow')
  await user.client.post('/api/v1/domain_blocks', { domain: 'rude.test' })
  await deliver(lateActor, lateActor.activity('Accept', request))
  assert.equal((await relationshipWith(user, id)).following, false)
  const activity = follow(rude, user)
  await deliver(rude, activity)
  assert.deepEqual(await activitiesFrom(rude, user), [['Reject', activity['id']]])
  const shown = await relationshipWith(user, await accountOf(user, rude))
  assert.deepEqual([shown.followed_by, shown.domain_blocking], [false, true])
})

test('VI15 actors of a domain that the author blocks get 404 for a status, even if it is public', async () => {
  const user = await testServer.createUser()
  const { body: status } = await user.client.post('/api/v1/statuses', { status: 'hello, most of you' })
  const [rude, kind] = [await createActor('deep.rude.test'), await createActor('kind.test')]
  for (const actor of [rude, kind]) await accountOf(user, actor)
  const statuses = async () => [(await rude.get(status.uri)).status, (await kind.get(status.uri)).status]
  assert.deepEqual(await statuses(), [200, 200])
  await user.client.post('/api/v1/domain_blocks', { domain: 'rude.test' })
  assert.deepEqual(await statuses(), [404, 200])
})

test('removing a follower, a block, and unlocking the account each send the right activities', async () => {
  const user = await testServer.createUser({ locked: true })
  const [removed, blocked, waiting] = [
    await createActor('kind.test'),
    await createActor('kind.test'),
    await createActor('rude.test'),
  ]
  const activities = [removed, blocked, waiting].map((actor) => follow(actor, user))
  for (const [n, actor] of [removed, blocked, waiting].entries()) await deliver(actor, activities[n]!)
  const ids = await Promise.all([removed, blocked].map((actor) => accountOf(user, actor)))
  for (const id of ids) await user.client.post(`/api/v1/follow_requests/${id}/authorize`)
  // Activities that are sent to one server at the same time arrive in no particular order.
  await testServer.waitForJobs()
  await followEachOther(user, blocked)
  await testServer.waitForJobs()
  await user.client.post(`/api/v1/accounts/${ids[0]}/remove_from_followers`)
  await user.client.post(`/api/v1/accounts/${ids[1]}/block`)
  await user.client.patch('/api/v1/accounts/update_credentials', { locked: false })
  assert.deepEqual(
    (await activitiesFrom(removed, user)).filter(([type]) => type !== 'Update'),
    [
      ['Accept', activities[0]!['id']],
      ['Reject', activities[0]!['id']],
    ],
  )
  const toBlocked = (await activitiesFrom(blocked, user)).map(([type]) => type).filter((type) => type !== 'Update')
  assert.deepEqual(toBlocked.slice(0, 2), ['Accept', 'Follow'])
  assert.deepEqual(toBlocked.slice(2).toSorted(), ['Block', 'Reject', 'Undo'])
  assert.deepEqual(
    (await activitiesFrom(waiting, user)).filter(([type]) => type !== 'Update'),
    [['Accept', activities[2]!['id']]],
  )
})
