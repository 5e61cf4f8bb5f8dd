import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { Activity } from '../../../test/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'third.test'] })
const { world, peer, uriOf, countRows } = fediverse
after(fediverse.close)

const third = peer.host('third.test')
const bob = await peer.host('remote.test').createActor('bob')
const carol = await third.createActor('carol', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })

/** A thread of bob's that is known here. */
const thread = bob.note({ cc: [uriOf(alice)] })
assert.equal((await bob.send(bob.activity('Create', thread))).status, 202)
await world.settle()

const signature = {
  type: 'RsaSignature2017',
  creator: carol.keyId,
  created: '2026-01-01T00:00:00Z',
  signatureValue: 'eA==',
}
const proven = (type: string, object: unknown): Activity => carol.activity(type, object, { signature })

/** Sends on what carol is said to have done. */
async function forward(activity: Activity): Promise<number> {
  const { status } = await bob.send(activity)
  await world.settle()
  return status
}

async function content(uri: unknown): Promise<string | undefined> {
  const { rows } = await sql<{ content: string }>`select content from statuses where uri = ${uri}`.execute(world.ctx.db)
  return rows[0]?.content
}

test('IN2 what somebody sends on for another counts for nothing without a proof in it, whatever that is worth', async () => {
  const answer = carol.note({ inReplyTo: thread['id'] })
  const before = await countRows()
  assert.equal(await forward(carol.activity('Create', answer)), 401)
  const elsewhere = { ...proven('Create', answer), id: 'https://remote.test/activities/1' }
  assert.equal(await forward(elsewhere), 401)
  assert.deepEqual(await countRows(), before)
})

test('an answer in a thread that is known is fetched from its own server', async () => {
  const answer = carol.note({ inReplyTo: thread['id'], content: '<p>true</p>' })
  const activity = proven('Create', { ...answer, content: '<p>forged</p>' })
  assert.equal(await forward(activity), 202)
  assert.match((await content(answer['id']))!, /true/)
  assert.equal((await carol.send(activity)).status, 202)
})

test('IN13 what is not there is not taken', async () => {
  const answer = carol.note({ inReplyTo: thread['id'] })
  third.withdraw(answer['id'])
  assert.equal(await forward(proven('Create', answer)), 202)
  assert.equal(await content(answer['id']), undefined)
  // The true one still counts.
  assert.equal((await carol.send(proven('Create', { ...answer, cc: [uriOf(alice)] }))).status, 202)
  await world.settle()
  assert.match((await content(answer['id']))!, /A note/)
})

test('what hangs on nothing that is known is not asked for', async () => {
  const asked = third.requests.length
  for (const inReplyTo of [undefined, carol.note()['id']]) {
    assert.equal(await forward(proven('Create', carol.note({ inReplyTo }))), 202)
  }
  for (const type of ['Update', 'Delete', 'Like', 'Follow', 'Announce', 'Undo']) {
    assert.equal(await forward(proven(type, carol.note())), 202)
  }
  assert.equal(third.requests.length, asked)
})

test('IN14 a deletion or an edit is believed when its own server shows it', async () => {
  const answer = carol.note({ inReplyTo: thread['id'] })
  await forward(proven('Create', answer))
  const updated = new Date(Date.now() + 1000).toISOString()
  await forward(proven('Update', { ...answer, content: '<p>forged</p>', updated }))
  await forward(proven('Delete', { type: 'Tombstone', id: answer['id'] }))
  assert.match((await content(answer['id']))!, /A note/)
  third.serve({ ...answer, content: '<p>edited</p>', updated })
  await forward(proven('Update', answer['id']))
  assert.match((await content(answer['id']))!, /edited/)
  third.withdraw(answer['id'])
  await forward(proven('Delete', answer['id']))
  assert.equal(await content(answer['id']), undefined)
})
