import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import { answer } from '../../../test/peer/behaviour.ts'
import { PUBLIC } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'blocked.test'] })
const { world, peer, uriOf, countRows, deliver, befriend, findStatus, show, notified } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const neighbour = await remote.createActor('neighbour', { keys: bob.keys })
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
await befriend(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })
const home = async (person = alice) =>
  (await person.client.get('/api/v1/timelines/home')).body.map((one: { uri: string }) => one.uri)

await sql`insert into domain_blocks (domain, severity) values ('blocked.test', 'suspend')`.execute(db)

suite('boosts', () => {
  test('of people who are followed bring what its own server shows', async () => {
    const note = mallory.note({ content: '<p>true</p>' })
    const forged = { ...note, content: '<p>forged</p>' }
    const boost = bob.activity('Announce', forged, { to: [PUBLIC], published: new Date().toISOString() })
    await deliver(bob, boost)
    // IN15
    assert.match((await show(alice, note['id'])).content, /true/)
    assert.ok((await home()).includes(boost['id']))
    await deliver(bob, bob.activity('Announce', { ...forged, content: 'again' }))
    assert.match((await show(alice, note['id'])).content, /true/)
    assert.equal((await show(alice, note['id'])).reblogs_count, 1)
  })

  test('IN15 of what is known change nothing of it', async () => {
    const note = bob.note()
    await deliver(
      bob,
      create(note),
      bob.activity('Announce', { ...note, content: 'forged', updated: '2026-12-01T00:00:00Z' }),
    )
    assert.match((await show(alice, note['id'])).content, /A note/)
  })

  test('of a status of here are counted and told, whoever made them', async () => {
    const mine = (await alice.client.post('/api/v1/statuses', { status: 'pass me on' })).body
    await deliver(mallory, mallory.activity('Announce', mine.uri))
    assert.ok((await notified(alice)).includes('reblog'))
    assert.equal((await alice.client.get(`/api/v1/statuses/${mine.id}`)).body.reblogs_count, 1)
  })

  test('by people whom nobody follows ask for nothing', async () => {
    const asked = remote.requests.length
    const note = bob.note()
    await deliver(mallory, mallory.activity('Announce', note['id']))
    assert.equal(await findStatus(note['id']), undefined)
    assert.equal(remote.requests.length, asked)
  })

  test('of what is not for everybody, of blocked servers, and of what is not there do nothing', async () => {
    const blocked = peer.host('blocked.test')
    const eve = await blocked.createActor('eve', { keys: bob.keys })
    const redirect = `${remote.origin}/to-blocked`
    remote.behave('/to-blocked', answer(302, { headers: { location: eve.note()['id'] } }))
    const before = await countRows()
    for (const object of [
      mallory.note({ to: [mallory.followersUrl], cc: [] })['id'],
      mallory.note({ to: [uriOf(alice)], cc: [] })['id'],
      eve.note()['id'],
      redirect,
      `${other.origin}/nothing`,
      mallory.id,
    ]) {
      const boost = bob.activity('Announce', object)
      assert.equal((await bob.send(boost)).status, 202)
    }
    await world.settle()
    const { statuses } = await countRows()
    assert.equal(statuses, before['statuses'])
    // IN24
    assert.equal(blocked.requests.length, 0)
  })

  test('IN16 are taken back by whoever made them, also before they came', async () => {
    const note = mallory.note()
    const [boost, early] = [bob.activity('Announce', note['id']), bob.activity('Announce', mallory.note()['id'])]
    await deliver(bob, boost)
    await deliver(mallory, mallory.activity('Undo', boost))
    await deliver(neighbour, neighbour.activity('Undo', boost))
    assert.ok(await findStatus(boost['id']))
    await deliver(bob, bob.activity('Undo', boost['id']))
    assert.equal(await findStatus(boost['id']), undefined)
    await deliver(bob, bob.activity('Undo', early), early)
    assert.equal(await findStatus(early['id']), undefined)
  })

  test('of a group pass on what somebody wrote to it', async () => {
    const group = await other.createActor('group', { keys: bob.keys, type: 'Group' })
    await befriend(alice, group)
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
})
