import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { blockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { respondWith } from '../../../../test/federation/peer/behaviour.ts'
import { PUBLIC } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'blocked.test'] })
const { testServer, peer, uriOf, countRows, deliver, followEachOther, findStatus, getStatus, show, notificationsOf } =
  fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const neighbour = await remote.createActor('neighbour', { keys: bob.keys })
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
await followEachOther(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })
const home = async (user = alice) =>
  (await user.client.get('/api/v1/timelines/home')).body.map((one: { uri: string }) => one.uri)

await blockDomainAsStaff(testServer.ctx, 'blocked.test', { severity: 'suspend' })

suite('an Announce', () => {
  test('by a followed account adds the status as its own server serves it', async () => {
    const note = mallory.note({ content: '<p>true</p>' })
    const forged = { ...note, content: '<p>forged</p>' }
    const reblog = bob.activity('Announce', forged, { to: [PUBLIC], published: new Date().toISOString() })
    await deliver(bob, reblog)
    // IN15
    assert.match((await show(alice, note['id'])).content, /true/)
    assert.ok((await home()).includes(reblog['id']))
    await deliver(bob, bob.activity('Announce', { ...forged, content: 'again' }))
    assert.match((await show(alice, note['id'])).content, /true/)
    assert.equal((await show(alice, note['id'])).reblogs_count, 1)
  })

  test('of an own post notifies its author, unless by a group that the author follows', async () => {
    const user = await testServer.createUser()
    const post = async () => (await user.client.post('/api/v1/statuses', { status: 'dear group' })).body
    const [followed, other] = await Promise.all(
      ['reading', 'running'].map(async (name) => remote.createActor(name, { type: 'Group', keys: bob.keys })),
    )
    await followEachOther(user, followed!)
    const own = await post()
    await deliver(followed!, followed!.activity('Announce', own.uri, { to: [PUBLIC] }))
    assert.deepEqual(await notificationsOf(user), [])
    assert.equal((await show(user, own.uri)).reblogs_count, 1)
    await deliver(other!, other!.activity('Announce', own.uri, { to: [PUBLIC] }))
    assert.deepEqual(await notificationsOf(user), ['reblog'])
  })

  test('IN15 of a stored status does not change it', async () => {
    const note = bob.note()
    await deliver(
      bob,
      create(note),
      bob.activity('Announce', { ...note, content: 'forged', updated: '2026-12-01T00:00:00Z' }),
    )
    assert.match((await show(alice, note['id'])).content, /A note/)
  })

  test('of a local status by any account is counted and causes a notification', async () => {
    const localStatus = (await alice.client.post('/api/v1/statuses', { status: 'pass me on' })).body
    await deliver(mallory, mallory.activity('Announce', localStatus.uri))
    assert.ok((await notificationsOf(alice)).includes('reblog'))
    assert.equal((await alice.client.get(`/api/v1/statuses/${localStatus.id}`)).body.reblogs_count, 1)
  })

  test('by an account without local followers fetches nothing', async () => {
    const requestsBefore = remote.requests.length
    const note = bob.note()
    await deliver(mallory, mallory.activity('Announce', note['id']))
    assert.equal(await findStatus(note['id']), undefined)
    assert.equal(remote.requests.length, requestsBefore)
  })

  test('of a non-public, missing or suspended object has no effect', async () => {
    const blocked = peer.host('blocked.test')
    const eve = await blocked.createActor('eve', { keys: bob.keys })
    const redirect = `${remote.origin}/to-blocked`
    remote.behave('/to-blocked', respondWith(302, { headers: { location: eve.note()['id'] } }))
    const before = await countRows()
    for (const object of [
      mallory.note({ to: [mallory.followersUrl], cc: [] })['id'],
      mallory.note({ to: [uriOf(alice)], cc: [] })['id'],
      eve.note()['id'],
      redirect,
      `${other.origin}/nothing`,
      mallory.id,
    ]) {
      const reblog = bob.activity('Announce', object)
      assert.equal((await bob.send(reblog)).status, 202)
    }
    await testServer.waitForJobs()
    const { statuses } = await countRows()
    assert.equal(statuses, before['statuses'])
    // IN24
    assert.equal(blocked.requests.length, 0)
  })

  test('IN16 can be undone by its own actor only, also before it arrives', async () => {
    const note = mallory.note()
    const [reblog, early] = [bob.activity('Announce', note['id']), bob.activity('Announce', mallory.note()['id'])]
    await deliver(bob, reblog)
    await deliver(mallory, mallory.activity('Undo', reblog))
    await deliver(neighbour, neighbour.activity('Undo', reblog))
    assert.ok(await findStatus(reblog['id']))
    await deliver(bob, bob.activity('Undo', reblog['id']))
    assert.equal(await findStatus(reblog['id']), undefined)
    await deliver(bob, bob.activity('Undo', early), early)
    assert.equal(await findStatus(early['id']), undefined)
  })

  test('by a group of a wrapped activity adds the object of that', async () => {
    const group = await other.createActor('group', { keys: bob.keys, type: 'Group' })
    await followEachOther(alice, group)
    const page = mallory.note({ type: 'Page', name: 'A title', content: 'text' })
    const wrapped = mallory.activity('Create', page)
    await deliver(group, group.activity('Announce', wrapped), group.activity('Announce', page['id']))
    assert.match((await show(alice, page['id'])).content, /A title/)
    const before = await countRows()
    await deliver(group, group.activity('Announce', mallory.activity('Delete', page['id'])))
    await deliver(group, group.activity('Announce', mallory.activity('Like', page['id'])))
    const { statuses, favourites } = await countRows()
    assert.deepEqual([statuses, favourites], [before['statuses'], before['favourites']])
  })

  test('by a group of an edit refreshes the stored status, of a deletion deletes it if its server did; neither is a reblog', async () => {
    const group = await other.createActor('forum', { keys: bob.keys, type: 'Group' })
    await followEachOther(alice, group)
    const announce = (type: string, object: unknown) =>
      group.activity('Announce', mallory.activity(type, object), { to: [PUBLIC] })
    const page = mallory.note({ type: 'Page', name: 'A title' })
    // Known without the group.
    await deliver(bob, bob.activity('Announce', page['id'], { to: [PUBLIC] }))
    const edited = { ...page, name: 'Another title', updated: new Date(Date.now() + 1_000).toISOString() }
    await deliver(group, announce('Update', { ...edited, name: 'forged' }))
    assert.match((await show(alice, page['id'])).content, /A title/)
    other.serve(edited)
    const update = announce('Update', edited)
    await deliver(group, update)
    assert.match((await show(alice, page['id'])).content, /Another title/)
    assert.equal((await show(alice, page['id'])).reblogs_count, 1)
    assert.ok(!(await home()).includes(update['id']))

    const requestsBefore = other.requests.length
    await deliver(group, announce('Update', mallory.note()), announce('Delete', mallory.note()['id']))
    await deliver(mallory, mallory.activity('Announce', bob.activity('Update', edited)))
    assert.equal(other.requests.length, requestsBefore)

    // The post that moderators removed from the group still exists.
    const deletion = mallory.activity('Delete', page['id'])
    await deliver(group, group.activity('Announce', deletion, { to: [PUBLIC] }))
    assert.match((await show(alice, page['id'])).content, /Another title/)
    await deliver(mallory, mallory.activity('Announce', bob.activity('Delete', page['id'])))
    assert.deepEqual(
      other.requests.slice(requestsBefore).map(({ path }) => path),
      [page, deletion].map((one: Activity) => new URL(String(one['id'])).pathname),
    )
    other.withdraw(page['id'])
    await deliver(group, announce('Delete', page['id']))
    assert.equal(await findStatus(page['id']), undefined)
  })

  test('of a deletion deletes a post that its server, like PieFed, still serves, if it also serves the Delete of the author', async () => {
    const [group, person] = [
      await remote.createActor('club', { keys: bob.keys, type: 'Group' }),
      await other.createActor('person', { keys: bob.keys }),
    ]
    for (const one of [group, person]) await followEachOther(alice, one)
    const note = mallory.note()
    await deliver(bob, bob.activity('Announce', note['id'], { to: [PUBLIC] }))
    const deletion = mallory.activity('Delete', note['id'])
    const forged = other.serve(person.activity('Delete', note['id']))
    const announce = (one: Activity) => deliver(group, group.activity('Announce', one, { to: [PUBLIC] }))
    for (const one of [deletion, forged, { ...forged, actor: mallory.id }]) await announce(one)
    other.serve({ ...deletion, object: mallory.note()['id'] })
    await announce(deletion)
    assert.ok(await findStatus(note['id']))
    other.serve(deletion)
    await announce(deletion)
    assert.equal(await findStatus(note['id']), undefined)
  })

  test('by a group of an edit has the time that the Update names, if the edited document names none', async () => {
    const group = await other.createActor('magazine', { keys: bob.keys, type: 'Group' })
    await followEachOther(alice, group)
    const published = new Date(Date.now() - 3_600_000).toISOString()
    const note = mallory.note({ content: 'first', published })
    await deliver(bob, bob.activity('Announce', note['id'], { to: [PUBLIC] }))
    const edit = async (content: string, updated: string) => {
      other.serve({ ...note, content })
      const document = { ...note, content: 'forged', object: { updated } }
      await deliver(group, group.activity('Announce', mallory.activity('Update', document), { to: [PUBLIC] }))
    }
    const [first, second] = [40, 20].map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString())
    await edit('second', first!)
    const edited = await show(alice, note['id'])
    assert.deepEqual([edited.content, edited.edited_at], ['second', first])
    // A time in the future would hide later edits.
    await edit('third', new Date(Date.now() + 7_200_000).toISOString())
    const third = await show(alice, note['id'])
    assert.ok(Date.parse(String(third.edited_at)) <= Date.now() && third.content === 'third')
    await edit('fourth', second!)
    assert.equal((await show(alice, note['id'])).content, 'third')
  })

  test('of an own followers-only post adds it for the followers, as embedded', async () => {
    const [reader, nonFollower] = [await testServer.createUser(), await testServer.createUser()]
    const published = new Date(Date.now() - 86_400_000).toISOString()
    const note = bob.note({ to: [bob.followersUrl], cc: [], content: 'among us', published })
    // As other servers do, its own one does not serve it.
    remote.withdraw(note['id'])
    const reblog = bob.activity('Announce', note, { to: [bob.followersUrl], published: new Date().toISOString() })
    await followEachOther(reader, bob)
    assert.equal((await bob.send(reblog, { to: `${uriOf(nonFollower)}/inbox` })).status, 202)
    await testServer.waitForJobs()
    const status = await show(reader, note['id'])
    assert.deepEqual([status.content, status.visibility], ['among us', 'private'])
    assert.ok((await home(reader)).includes(reblog['id']))
    const { id } = await getStatus(note['id'])
    assert.equal((await nonFollower.client.get(`/api/v1/statuses/${id}`)).status, 404)
  })

  test('IN15 of an embedded followers-only post of another account or host, or after its deletion, has no effect', async () => {
    const [foreign, neighbours, deleted] = [
      mallory.note({ to: [mallory.followersUrl], cc: [] }),
      neighbour.note({ to: [neighbour.followersUrl], cc: [] }),
      bob.note({ to: [bob.followersUrl], cc: [] }),
    ]
    for (const { id } of [foreign, neighbours, deleted]) for (const host of [remote, other]) host.withdraw(String(id))
    await deliver(bob, bob.activity('Delete', deleted['id']))
    for (const note of [foreign, neighbours, deleted, { ...foreign, attributedTo: bob.id }])
      await deliver(bob, bob.activity('Announce', note, { to: [bob.followersUrl] }))
    for (const { id } of [foreign, neighbours, deleted]) assert.equal(await findStatus(id), undefined)
  })

  test('by a group of an embedded event that names its actor adds the event', async () => {
    const group = await other.createActor('events', { keys: bob.keys, type: 'Group' })
    await followEachOther(alice, group)
    const event = mallory.note({ type: 'Event', name: 'A party', actor: mallory.id })
    await deliver(group, group.activity('Announce', event, { to: [group.followersUrl], cc: [PUBLIC] }))
    assert.match((await show(alice, event['id'])).content, /A party/)
  })
})
