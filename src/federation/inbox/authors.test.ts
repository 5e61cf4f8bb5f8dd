import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { Activity } from '../../../test/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, deliver, befriend, findStatus, show } = fediverse
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

suite('whose word counts', () => {
  test('IN13 nobody writes for another server, nor for another person', async () => {
    const theirs = mallory.note({ content: 'never said' })
    other.withdraw(theirs['id'])
    const mine = bob.note()
    const forged = [
      theirs,
      { ...theirs, attributedTo: bob.id },
      { ...mine, attributedTo: mallory.id },
      { ...mine, attributedTo: neighbour.id },
      { ...mine, id: undefined },
    ]
    for (const note of forged) await deliver(bob, create(note))
    assert.equal(await findStatus(theirs['id']), undefined)
    const row = await findStatus(mine['id'])
    const { rows } = await sql<{ uri: string }>`select uri from accounts where id = ${row?.account_id ?? 0}`.execute(db)
    // What lies at the address is bob's; whatever was sent along is not looked at.
    assert.deepEqual(
      rows.map(({ uri }) => uri),
      [bob.id],
    )
  })

  test('a status that is only named is fetched from its server', async () => {
    const note = bob.note({ content: '<p>fetched</p>' })
    await deliver(bob, bob.activity('Create', note['id']))
    assert.match((await show(alice, note['id'])).content, /fetched/)
    const elsewhere = mallory.note()
    await deliver(bob, bob.activity('Create', elsewhere['id']))
    assert.equal(await findStatus(elsewhere['id']), undefined)
  })

  test('IN14 nobody changes or deletes what is somebody else’s', async () => {
    const note = bob.note()
    await deliver(bob, create(note))
    const changed = { ...note, content: 'hacked', updated: new Date().toISOString() }
    for (const actor of [mallory, neighbour]) {
      for (const object of [changed, { ...changed, attributedTo: actor.id }]) {
        await deliver(actor, actor.activity('Update', object))
      }
      for (const object of [note, note['id'], { id: note['id'], type: 'Tombstone' }]) {
        await deliver(actor, actor.activity('Delete', object))
      }
      await deliver(
        actor,
        actor.activity('Delete', bob.id),
        actor.activity('Update', { ...bob.document, name: 'hacked' }),
      )
    }
    const status = await show(alice, note['id'])
    assert.match(status.content, /A note/)
    assert.equal(status.account.display_name, 'bob')
  })
})
