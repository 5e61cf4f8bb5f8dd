import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { untilLockWaits } from '../../../../test/features/lock-waits.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import { createRemoteAccount, remoteStatusRecord } from '../../../../test/federation/remote-records.ts'
import { lockUris } from '../../../domain/core/lock-uris.ts'
import { recordRemoteStatus } from '../../../domain/statuses/remote/record-remote-status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, deliver, followEachOther, findStatus, show } = fediverse
after(fediverse.close)

const { ctx } = testServer
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

suite('a Delete', () => {
  test('of a post of wafrn, whose context only imports Activity Streams, deletes it after an Update', async () => {
    const context = [`${remote.origin}/contexts/litepub-0.1.jsonld`]
    const note = bob.note()
    await deliver(bob, create(note))
    const update = bob.activity('Update', { ...note, content: '<p>Edited</p>', updated: new Date().toISOString() })
    await deliver(bob, { ...update, '@context': context })
    assert.equal((await show(alice, note['id'])).content, '<p>Edited</p>')
    const deletion = bob.activity('Delete', { id: note['id'], type: 'Tombstone' })
    await deliver(bob, { ...deletion, '@context': context })
    assert.equal(await findStatus(note['id']), undefined)
  })

  test('in each form deletes a status permanently', async () => {
    for (const form of [
      (note: Activity) => note['id'],
      (note: Activity) => ({ id: note['id'], type: 'Tombstone' }),
      (note: Activity) => note,
    ]) {
      const note = bob.note()
      await deliver(bob, create(note), bob.activity('Delete', form(note)))
      assert.equal(await findStatus(note['id']), undefined)
      // IN6
      await deliver(bob, create(note), bob.activity('Update', { ...note, updated: new Date().toISOString() }))
      assert.equal(await findStatus(note['id']), undefined)
    }
  })

  test('with the id of the Create deletes the status, or prevents it if it arrives first', async () => {
    const [first, second] = [bob.note(), bob.note()]
    const [created, prevented] = [create(first), create(second)]
    await deliver(bob, created, bob.activity('Delete', first['id'], { id: created['id'] }))
    await deliver(bob, bob.activity('Delete', second['id'], { id: prevented['id'] }), prevented)
    assert.deepEqual([await findStatus(first['id']), await findStatus(second['id'])], [undefined, undefined])
  })

  test('FP6 that arrives before its Create prevents it', async () => {
    const note = bob.note()
    await deliver(bob, bob.activity('Delete', note['id']), create(note))
    const other = mallory.note({ cc: [uriOf(alice)] })
    await deliver(mallory, mallory.activity('Delete', other['id']), create(other, mallory))
    assert.deepEqual([await findStatus(note['id']), await findStatus(other['id'])], [undefined, undefined])
  })

  test('FP6 deletes a status that is recorded, with its author, at the same time', async () => {
    const actor = await remote.createActor('unknown', { keys: bob.keys })
    const uri = String(actor.note()['id'])
    await ctx.write(async (tx) => {
      await lockUris(tx, { uris: [uri] })
      assert.equal((await actor.send(actor.activity('Delete', uri))).status, 202)
      await untilLockWaits(testServer, 1)
      const handle = { username: 'unknown', domain: 'remote.test' }
      const accountId = await createRemoteAccount(ctx, { uri: actor.id, handle, keys: [] })
      await recordRemoteStatus(tx, remoteStatusRecord({ accountId, uri }))
    })
    await testServer.waitForJobs()
    assert.equal(await findStatus(uri), undefined)
  })

  test('of an unknown status by another actor does not prevent its Create', async () => {
    const note = bob.note()
    await deliver(neighbour, neighbour.activity('Delete', note['id']))
    await deliver(mallory, mallory.activity('Delete', note['id']))
    await deliver(bob, create(note))
    assert.ok(await findStatus(note['id']))
  })

  test('of the actor itself deletes the account and its statuses', async () => {
    const actor = await remote.createActor('leaving', { keys: bob.keys })
    const carol = await testServer.createUser()
    await followEachOther(carol, actor)
    const note = actor.note()
    await deliver(actor, create(note, actor), actor.activity('Delete', actor.id))
    assert.equal(await findStatus(note['id']), undefined)
    const { rows } = await sql`select from accounts where uri = ${actor.id}`.execute(ctx.db)
    assert.equal(rows.length, 0)
    assert.deepEqual(await home(carol), [])
  })
})
