import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, deliver, followEachOther, findStatus, show } = fediverse
after(fediverse.close)

const { db } = testServer.ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const neighbour = await remote.createActor('neighbour', { keys: bob.keys })
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
await followEachOther(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })

suite('the authorship of a note', () => {
  test('IN13 cannot be forged for another server or another account', async () => {
    const otherNote = mallory.note({ content: 'never said' })
    other.withdraw(otherNote['id'])
    const ownNote = bob.note()
    const forged = [
      otherNote,
      { ...otherNote, attributedTo: bob.id },
      { ...ownNote, attributedTo: mallory.id },
      { ...ownNote, attributedTo: neighbour.id },
      { ...ownNote, id: undefined },
    ]
    for (const note of forged) await deliver(bob, create(note))
    assert.equal(await findStatus(otherNote['id']), undefined)
    const row = await findStatus(ownNote['id'])
    const { rows } = await sql<{ uri: string }>`select uri from accounts where id = ${row?.account_id ?? 0}`.execute(db)
    // The document at that URL is bob's; the embedded object is ignored.
    assert.deepEqual(
      rows.map(({ uri }) => uri),
      [bob.id],
    )
  })

  test('is proven by a fetch if the activity contains only the id', async () => {
    const note = bob.note({ content: '<p>fetched</p>' })
    await deliver(bob, bob.activity('Create', note['id']))
    assert.match((await show(alice, note['id'])).content, /fetched/)
    const foreignNote = mallory.note()
    await deliver(bob, bob.activity('Create', foreignNote['id']))
    assert.equal(await findStatus(foreignNote['id']), undefined)
  })

  test('IN14 is required to update or delete it', async () => {
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
