import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { respondWith } from '../../../../test/federation/peer/behaviour.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer, deliver, followEachOther, expectRejected } = fediverse
after(fediverse.close)

const { db } = testServer.ctx
const remote = peer.host('remote.test')
const alice = await testServer.createUser({ username: 'alice' })

/** Returns an actor with a stored key, which got another key since. */
async function createRekeyedActor(name: string) {
  const actor = await remote.createActor(name)
  await followEachOther(alice, actor)
  await actor.rotateKey()
  await sql`update actor_keys set fetched_at = now() - interval '1 hour' where owner_uri = ${actor.id}`.execute(db)
  return actor
}

const isStored = async ({ id }: { id: string }) =>
  (await sql`select from accounts where uri = ${id} and suspended_at is null`.execute(db)).rows.length === 1

test('an account with an unknown new key is deleted by its Delete, if its server has neither key nor actor any more', async () => {
  const actor = await createRekeyedActor('gone')
  remote.behave(new URL(actor.id).pathname, respondWith(410))
  await deliver(actor, actor.activity('Delete', actor.id))
  assert.equal(await isStored(actor), false)
  const tombstoned = await createRekeyedActor('tombstoned')
  remote.serve({ '@context': tombstoned.document['@context'], type: 'Tombstone', id: tombstoned.id })
  await deliver(tombstoned, tombstoned.activity('Delete', tombstoned.id))
  assert.equal(await isStored(tombstoned), false)
})

test('IN16 an account whose key cannot be found is not deleted by a Delete, unless the actor is gone for good', async () => {
  const actor = await createRekeyedActor('hidden')
  remote.behave(new URL(actor.id).pathname, respondWith(404))
  assert.equal(await expectRejected(actor, actor.activity('Delete', actor.id)), 401)
  const other = await createRekeyedActor('other')
  remote.behave(new URL(other.id).pathname, respondWith(410))
  const deletion = other.activity('Delete', other.id)
  assert.equal(await expectRejected(other, deletion, { headers: { 'content-encoding': 'gzip' } }), 401)
  assert.equal(await expectRejected(other, other.activity('Delete', `${other.id}/statuses/1`)), 401)
  assert.deepEqual([await isStored(actor), await isStored(other)], [true, true])
})
