import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, deliver, followEachOther, findStatus, getStatus, show } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const alice = await testServer.createUser({ username: 'alice' })
const pinnedOf = async (accountId: string) =>
  (await alice.client.get(`/api/v1/accounts/${accountId}/statuses?pinned=true`)).body.map(
    ({ uri }: { uri: string }) => uri,
  )

test('the pinned statuses of a remote account are fetched with it, as far as they are its own', async () => {
  const mallory = await peer.host('other.test').createActor('mallory')
  const carol = await remote.createActor('carol', { keys: mallory.keys })
  const [first, second, foreign] = [carol.note(), carol.note(), mallory.note()]
  remote.serveCollection('/users/carol/featured', [first, second['id'], foreign['id'], `${remote.origin}/nothing`])
  const id = await followEachOther(alice, carol)
  await testServer.waitForJobs()
  assert.deepEqual(await pinnedOf(id), [first['id'], second['id']])
})

test('Create activities in the collection of pinned statuses stand for their statuses', async () => {
  const hank = await remote.createActor('hank')
  const [first, second] = [hank.note(), hank.note()]
  const [embedded, byId] = [hank.activity('Create', first), hank.activity('Create', second['id'])]
  remote.serveCollection('/users/hank/featured', [embedded, byId])
  const id = await followEachOther(alice, hank)
  await testServer.waitForJobs()
  assert.deepEqual(await pinnedOf(id), [first['id'], second['id']])
})

test('all items on the first page of pinned statuses are pinned, up to fifty', async () => {
  const dora = await remote.createActor('dora')
  const notes = Array.from({ length: 60 }, () => dora.note()['id'])
  remote.serveCollection('/users/dora/featured', notes, { pageSize: 12 })
  const id = await followEachOther(alice, dora)
  await testServer.waitForJobs()
  assert.deepEqual(await pinnedOf(id), notes.slice(0, 12))
  const erin = await remote.createActor('erin', { keys: dora.keys })
  remote.serveCollection(
    '/users/erin/featured',
    Array.from({ length: 60 }, () => erin.note()['id']),
  )
  await followEachOther(alice, erin)
  await testServer.waitForJobs()
  assert.equal(remote.countRequests(/^\/users\/erin\/statuses\//), 50)
})

test('an Add pins a status and a Remove unpins it; a repeated Add has no effect', async () => {
  const bob = await remote.createActor('bob')
  const id = await followEachOther(alice, bob)
  const note = bob.note()
  const target = `${bob.id}/featured`
  await deliver(bob, bob.activity('Add', note['id'], { target }), bob.activity('Add', note['id'], { target }))
  assert.deepEqual(await pinnedOf(id), [note['id']])
  await deliver(bob, bob.activity('Remove', note['id'], { target }))
  assert.deepEqual(await pinnedOf(id), [])
})

test('an Add or Remove without an id takes effect each time it is sent, and a replay has no effect', async () => {
  const bob = await remote.createActor('bobby')
  const id = await followEachOther(alice, bob)
  const note = bob.note()
  const signedAt = Date.now() - 60_000
  const send = async (type: string, second: number) => {
    const activity = bob.activity(type, note['id'], { id: undefined, target: `${bob.id}/featured` })
    assert.equal((await bob.send(activity, { now: new Date(signedAt + second * 1000) })).status, 202)
    await testServer.waitForJobs()
    return (await pinnedOf(id)).length
  }
  assert.deepEqual([await send('Add', 0), await send('Remove', 1), await send('Add', 2)], [1, 0, 1])
  assert.deepEqual([await send('Remove', 3), await send('Add', 2), await send('Add', 0)], [0, 0, 0])
})

test('IN19 an Add or Remove with another account’s collection or status has no effect', async () => {
  const owner = await remote.createActor('owner')
  const intruder = await remote.createActor('intruder', { keys: owner.keys })
  const id = await followEachOther(alice, owner)
  await followEachOther(alice, intruder)
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

const tagsOf = async (accountId: string) =>
  (await alice.client.get(`/api/v1/accounts/${accountId}/featured_tags`)).body.map(({ name }: { name: string }) => name)
const hashtag = (name: string) => ({ type: 'Hashtag', href: `https://remote.test/tags/${name}`, name: `#${name}` })

test('the featured hashtags of a remote account are fetched with it, and an Add or Remove changes them', async () => {
  const path = '/users/flora/tags'
  const flora = await remote.createActor('flora', { document: { featuredTags: `${remote.origin}${path}` } })
  remote.serveCollection(path, [hashtag('Botany'), hashtag('1 2'), { type: 'Note', name: '#no' }, hashtag('moss')])
  const id = await followEachOther(alice, flora)
  await testServer.waitForJobs()
  assert.deepEqual(await tagsOf(id), ['Botany', 'moss'])
  const target = `${flora.id}/featured`
  const add = flora.activity('Add', hashtag('Ferns'), { target })
  await deliver(flora, add, flora.activity('Add', hashtag('ferns'), { target }))
  assert.deepEqual(await tagsOf(id), ['Botany', 'moss', 'Ferns'])
  await deliver(flora, flora.activity('Remove', hashtag('botany'), { target }))
  assert.deepEqual(await tagsOf(id), ['moss', 'Ferns'])
  const other = await remote.createActor('fred', { keys: flora.keys })
  await followEachOther(alice, other)
  await deliver(other, other.activity('Remove', hashtag('moss'), { target }))
  assert.deepEqual(await tagsOf(id), ['moss', 'Ferns'])
  assert.deepEqual(await pinnedOf(id), [])
})

test('a remote account features at most thirty hashtags, however many it adds', async () => {
  const gil = await remote.createActor('gil')
  const id = await followEachOther(alice, gil)
  const target = `${gil.id}/featured`
  for (let count = 0; count < 32; count += 1) await gil.send(gil.activity('Add', hashtag(`tag${count}`), { target }))
  await testServer.waitForJobs()
  assert.equal((await tagsOf(id)).length, 30)
})

test('a reply, its edit and its deletion that the author of a post adds to its thread (FEP-171b) are fetched', async () => {
  const other = peer.host('other.test')
  const [greta, commenter] = [await remote.createActor('greta'), await other.createActor('commenter')]
  await followEachOther(alice, greta)
  const post = greta.note()
  await deliver(greta, greta.activity('Create', post, { to: post['to'], cc: post['cc'] }))
  const target = { type: 'Collection', id: post['context'], attributedTo: greta.id }
  const add = (type: string, object: unknown, owner = greta) =>
    owner.activity('Add', commenter.activity(type, object), { target })
  const reply = commenter.note({ inReplyTo: post['id'], content: 'true' })
  const requestsBefore = other.requests.length
  const nonFollowed = await remote.createActor('gustav', { keys: greta.keys })
  await deliver(nonFollowed, add('Create', reply, nonFollowed))
  await deliver(greta, add('Create', commenter.note({ inReplyTo: commenter.note()['id'] })), add('Like', reply['id']))
  assert.equal(other.requests.length, requestsBefore)

  await deliver(greta, add('Create', { ...reply, content: 'forged' }))
  const replyTo = await getStatus(post['id'])
  const { content, in_reply_to_id: parentId } = await show(alice, reply['id'])
  assert.deepEqual([content, parentId], ['true', replyTo.id])
  const edited = { ...reply, content: 'edited', updated: new Date(Date.now() + 1_000).toISOString() }
  other.serve(edited)
  await deliver(greta, add('Update', { ...edited, content: 'forged' }))
  assert.equal((await show(alice, reply['id'])).content, 'edited')
  await deliver(greta, add('Delete', { type: 'Tombstone', id: reply['id'] }))
  assert.ok(await findStatus(reply['id']))
  other.withdraw(reply['id'])
  await deliver(greta, add('Delete', { type: 'Tombstone', id: reply['id'] }))
  assert.equal(await findStatus(reply['id']), undefined)
})

test('a local pin is sent to remote followers, and is in the featured collection', async () => {
  const follower = await remote.createActor('follower')
  await deliver(follower, follower.activity('Follow', uriOf(alice)))
  const post = async (visibility: string) =>
    (await alice.client.post('/api/v1/statuses', { status: 'look', visibility })).body
  const [publicStatus, privateStatus, local] = [
    await post('public'),
    await post('private'),
    (await alice.client.post('/api/v1/statuses', { status: 'ours', local_only: true })).body,
  ]
  for (const { id } of [publicStatus, privateStatus, local]) await alice.client.post(`/api/v1/statuses/${id}/pin`)
  const featured = `${uriOf(alice)}/collections/featured`
  for (const { uri } of [publicStatus, privateStatus]) {
    const { activity } = await follower.inbox.next(({ type, object }) => type === 'Add' && object === uri)
    assert.equal(activity['target'], featured)
  }
  await getStatus(publicStatus.uri)
  const itemsFor = async (response: ReturnType<typeof follower.get>) => (await response).json.orderedItems
  const shown = await itemsFor(follower.get(featured))
  assert.deepEqual(
    shown.map((item: { id: string } | string) => (typeof item === 'string' ? item : item.id)),
    [privateStatus.uri, publicStatus.uri],
  )
  assert.equal(typeof shown[0], 'string')
  assert.equal(shown[1].content, '<p>look</p>')
  // VI5 VI6
  const unrelated = await peer.host('other.test').createActor('unrelated', { keys: follower.keys })
  assert.deepEqual(
    (await itemsFor(unrelated.get(featured))).map(({ id }: { id: string }) => id),
    [publicStatus.uri],
  )
  await alice.client.post(`/api/v1/statuses/${publicStatus.id}/unpin`)
  await follower.inbox.next(({ type, object }) => type === 'Remove' && object === publicStatus.uri)
  assert.equal(
    follower.inbox.received.some(({ activity }) => activity['object'] === local.uri),
    false,
  )
})
