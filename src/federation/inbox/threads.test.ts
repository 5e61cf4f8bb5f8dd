import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../test/fediverse.ts'
import { answer } from '../../../test/peer/behaviour.ts'
import type { Activity } from '../../../test/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, uriOf, deliver, befriend, findStatus, getStatus, show } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
await befriend(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })

suite('threads', () => {
  const chain = (length: number) => {
    const notes = Array.from({ length }, () => mallory.note())
    notes.forEach((note, n) => {
      if (n > 0) note['inReplyTo'] = notes[n - 1]!['id']
    })
    return notes
  }

  test('are followed upwards and shown whole', async () => {
    const notes = chain(5)
    const answer = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    await deliver(bob, create(answer))
    const { id } = await getStatus(answer['id'])
    const { body } = await alice.client.get(`/api/v1/statuses/${id}/context`)
    assert.deepEqual(
      body.ancestors.map(({ uri }: { uri: string }) => uri),
      notes.map((note) => note['id']),
    )
  })

  test('IN22 without end are followed for a while, circles once', async () => {
    const asked = () => other.countRequests(/\/statuses\//)
    const notes = chain(200)
    let before = asked()
    const answer = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    await deliver(bob, create(answer))
    assert.ok(await findStatus(answer['id']))
    assert.ok(asked() - before <= 60, `${asked() - before} requests`)
    const circle = chain(3)
    circle[0]!['inReplyTo'] = circle[2]!['id']
    before = asked()
    await deliver(bob, create(bob.note({ inReplyTo: circle[1]!['id'] })))
    assert.equal(asked() - before, 3)
    const selfish = bob.note()
    selfish['inReplyTo'] = selfish['id']
    await deliver(bob, create(selfish))
    assert.ok(await findStatus(selfish['id']))
  })

  test('IN22 a thousand strangers who are mentioned are not all looked for', async () => {
    const tag = Array.from({ length: 100 }, (_one, n) => ({ type: 'Mention', href: `${other.origin}/users/s${n}` }))
    const before = other.requests.length
    await deliver(bob, create(bob.note({ tag, cc: tag.map(({ href }) => href) })))
    assert.ok(other.requests.length - before <= 10)
  })

  test('whose upper part is not to be had begin where they are known', async () => {
    const [top] = chain(1)
    other.behave(new URL(top!['id']).pathname, answer(500), { times: 1 })
    const note = bob.note({ inReplyTo: top!['id'] })
    await deliver(bob, create(note))
    assert.equal((await show(alice, note['id'])).in_reply_to_id, null)
    await deliver(mallory, create({ ...top!, cc: [uriOf(alice)] }, mallory))
    assert.equal((await show(alice, note['id'])).in_reply_to_id, (await getStatus(top!['id'])).id)
  })
})
