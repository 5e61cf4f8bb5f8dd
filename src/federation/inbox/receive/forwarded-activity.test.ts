import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'third.test'] })
const { testServer, peer, uriOf, countRows } = fediverse
after(fediverse.close)

const third = peer.host('third.test')
const bob = await peer.host('remote.test').createActor('bob')
const carol = await third.createActor('carol', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })

/** A stored thread by bob. */
const thread = bob.note({ cc: [uriOf(alice)] })
assert.equal((await bob.send(bob.activity('Create', thread))).status, 202)
await testServer.waitForJobs()

const signature = {
  type: 'RsaSignature2017',
  creator: carol.keyId,
  created: '2026-01-01T00:00:00Z',
  signatureValue: 'eA==',
}
const withSignature = (type: string, object: unknown): Activity => carol.activity(type, object, { signature })

/** Makes bob forward an activity of carol. */
async function forward(activity: Activity): Promise<number> {
  const { status } = await bob.send(activity)
  await testServer.waitForJobs()
  return status
}

async function content(uri: unknown): Promise<string | undefined> {
  const { rows } = await sql<{ content: string }>`select content from statuses where uri = ${uri}`.execute(
    testServer.ctx.db,
  )
  return rows[0]?.content
}

test('IN2 a forwarded activity is refused unless it embeds a signature, valid or not', async () => {
  const reply = carol.note({ inReplyTo: thread['id'] })
  const before = await countRows()
  assert.equal(await forward(carol.activity('Create', reply)), 401)
  const withForwarderId = { ...withSignature('Create', reply), id: 'https://remote.test/activities/1' }
  assert.equal(await forward(withForwarderId), 401)
  assert.deepEqual(await countRows(), before)
})

test('a forwarded reply in a stored thread is fetched from its own server', async () => {
  const reply = carol.note({ inReplyTo: thread['id'], content: '<p>true</p>' })
  const activity = withSignature('Create', { ...reply, content: '<p>forged</p>' })
  assert.equal(await forward(activity), 202)
  assert.match((await content(reply['id']))!, /true/)
  assert.equal((await carol.send(activity)).status, 202)
})

test('IN13 a forwarded status that its server does not serve is not stored', async () => {
  const reply = carol.note({ inReplyTo: thread['id'] })
  third.withdraw(reply['id'])
  assert.equal(await forward(withSignature('Create', reply)), 202)
  assert.equal(await content(reply['id']), undefined)
  // The genuine activity is still accepted.
  assert.equal((await carol.send(withSignature('Create', { ...reply, cc: [uriOf(alice)] }))).status, 202)
  await testServer.waitForJobs()
  assert.match((await content(reply['id']))!, /A note/)
})

test('a forwarded activity about unknown objects causes no fetch', async () => {
  const requestsBefore = third.requests.length
  for (const inReplyTo of [undefined, carol.note()['id']]) {
    assert.equal(await forward(withSignature('Create', carol.note({ inReplyTo }))), 202)
  }
  for (const type of ['Update', 'Delete', 'Like', 'Follow', 'Announce', 'Undo']) {
    assert.equal(await forward(withSignature(type, carol.note())), 202)
  }
  assert.equal(third.requests.length, requestsBefore)
})

test('IN14 a forwarded Delete or Update has an effect only if the origin serves it', async () => {
  const reply = carol.note({ inReplyTo: thread['id'] })
  await forward(withSignature('Create', reply))
  const updated = new Date(Date.now() + 1000).toISOString()
  await forward(withSignature('Update', { ...reply, content: '<p>forged</p>', updated }))
  await forward(withSignature('Delete', { type: 'Tombstone', id: reply['id'] }))
  assert.match((await content(reply['id']))!, /A note/)
  third.serve({ ...reply, content: '<p>edited</p>', updated })
  const update = withSignature('Update', reply['id'])
  await forward(update)
  assert.match((await content(reply['id']))!, /edited/)
  // Some servers give all Updates of a status the same id.
  third.serve({ ...reply, content: '<p>again</p>', updated: new Date(Date.now() + 2000).toISOString() })
  await forward({ ...update, published: new Date().toISOString() })
  assert.match((await content(reply['id']))!, /again/)
  third.withdraw(reply['id'])
  await forward(withSignature('Delete', reply['id']))
  assert.equal(await content(reply['id']), undefined)
})

test('a forwarded Delete does not delete a followers-only status, which its server serves only to followers', async () => {
  const reply = carol.note({ inReplyTo: thread['id'], to: [carol.followersUrl], cc: [uriOf(alice)] })
  await carol.send(carol.activity('Create', reply))
  await testServer.waitForJobs()
  third.withdraw(reply['id'])
  assert.equal(await forward(withSignature('Delete', reply['id'])), 202)
  assert.match((await content(reply['id']))!, /A note/)
})
