import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../test/fediverse.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, uriOf, deliver, befriend, getStatus } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const alice = await world.createPerson({ username: 'alice' })
const pinnedOf = async (accountId: string) =>
  (await alice.client.get(`/api/v1/accounts/${accountId}/statuses?pinned=true`)).body.map(
    ({ uri }: { uri: string }) => uri,
  )

test('what somebody elsewhere has on top of their profile comes with them, as far as it is their own', async () => {
  const mallory = await peer.host('other.test').createActor('mallory')
  const carol = await remote.createActor('carol', { keys: mallory.keys })
  const [first, second, foreign] = [carol.note(), carol.note(), mallory.note()]
  remote.serveCollection('/users/carol/featured', [first, second['id'], foreign['id'], `${remote.origin}/nothing`])
  const id = await befriend(alice, carol)
  await world.settle()
  assert.deepEqual(await pinnedOf(id), [first['id'], second['id']])
})

test('an Add puts a status on top of its author’s profile, a Remove takes it down; twice is once', async () => {
  const bob = await remote.createActor('bob')
  const id = await befriend(alice, bob)
  const note = bob.note()
  const target = `${bob.id}/featured`
  await deliver(bob, bob.activity('Add', note['id'], { target }), bob.activity('Add', note['id'], { target }))
  assert.deepEqual(await pinnedOf(id), [note['id']])
  await deliver(bob, bob.activity('Remove', note['id'], { target }))
  assert.deepEqual(await pinnedOf(id), [])
})

test('IN19 an Add or a Remove on somebody else’s profile, or of somebody else’s status, does nothing', async () => {
  const owner = await remote.createActor('owner')
  const intruder = await remote.createActor('intruder', { keys: owner.keys })
  const id = await befriend(alice, owner)
  await befriend(alice, intruder)
  const [note, foreign] = [owner.note(), intruder.note()]
  const target = `${owner.id}/featured`
  await deliver(owner, owner.activity('Add', note['id'], { target }))
  await deliver(
    intruder,
    intruder.activity('Remove', note['id'], { target }),
    intruder.activity('Add', foreign['id'], { target }),
  )
  await deliver(owner, owner.activity('Add', foreign['id'], { target }))
  await deliver(owner, owner.activity('Add', note['id'], { target: `${owner.id}/elsewhere` }))
  assert.deepEqual(await pinnedOf(id), [note['id']])
})

test('a pin of somebody here is told to followers elsewhere, and stands in the featured collection', async () => {
  const fan = await remote.createActor('fan')
  await deliver(fan, fan.activity('Follow', uriOf(alice)))
  const post = async (visibility: string) =>
    (await alice.client.post('/api/v1/statuses', { status: 'look', visibility })).body
  const [open, secret, local] = [
    await post('public'),
    await post('private'),
    (await alice.client.post('/api/v1/statuses', { status: 'ours', local_only: true })).body,
  ]
  for (const { id } of [open, secret, local]) await alice.client.post(`/api/v1/statuses/${id}/pin`)
  const featured = `${uriOf(alice)}/collections/featured`
  for (const { uri } of [open, secret]) {
    const { activity } = await fan.inbox.next(({ type, object }) => type === 'Add' && object === uri)
    assert.equal(activity['target'], featured)
  }
  await getStatus(open.uri)
  const itemsFor = async (answer: ReturnType<typeof fan.get>) => (await answer).json.orderedItems
  const shown = await itemsFor(fan.get(featured))
  assert.deepEqual(
    shown.map((item: { id: string } | string) => (typeof item === 'string' ? item : item.id)),
    [secret.uri, open.uri],
  )
  assert.equal(typeof shown[0], 'string')
  assert.equal(shown[1].content, '<p>look</p>')
  // VI5 VI6
  const stranger = await peer.host('other.test').createActor('stranger', { keys: fan.keys })
  assert.deepEqual(
    (await itemsFor(stranger.get(featured))).map(({ id }: { id: string }) => id),
    [open.uri],
  )
  await alice.client.post(`/api/v1/statuses/${open.id}/unpin`)
  await fan.inbox.next(({ type, object }) => type === 'Remove' && object === open.uri)
  assert.equal(
    fan.inbox.received.some(({ activity }) => activity['object'] === local.uri),
    false,
  )
})
