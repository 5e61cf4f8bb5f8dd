import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { takeKeyPair } from '../../../test/services/rsa-keys.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer, uriOf, deliver, followEachOther } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const [alice, dave] = [await testServer.createUser(), await testServer.createUser()]
const ids = new Map<unknown, string>()
for (const user of [alice, dave]) {
  ids.set(user, await followEachOther(user, bob))
}

/** Returns the Follows that were received since the last call, as actor and id. */
async function newFollows(): Promise<string[]> {
  await testServer.waitForJobs()
  const activities = bob.inbox.received.map(({ activity }) => activity).filter(({ type }) => type === 'Follow')
  bob.inbox.clear()
  return activities.map((activity) => `${String(activity['actor'])} ${String(activity['id'])}`).toSorted()
}
const follows = await newFollows()
/** Makes the Follows and the keys two hours older. The peer would reject signatures of a changed clock. */
async function letTimePass(): Promise<void> {
  await sql`update deliveries set created_at = created_at - interval '2 hours'`.execute(testServer.ctx.db)
  await sql`update actor_keys set fetched_at = fetched_at - interval '2 hours'`.execute(testServer.ctx.db)
}
const refresh = () => testServer.ctx.remote.refreshAccount({ uri: bob.id })
const isFollowing = async () => {
  const { body } = await alice.client.get('/api/v1/accounts/relationships', { id: [ids.get(alice)] })
  return body[0].following
}

test('the Follows of local followers are sent again if an account has another key', async () => {
  assert.equal(follows.length, 2)
  await letTimePass()
  await bob.rotateKey()
  await refresh()
  assert.deepEqual(await newFollows(), follows)
  assert.equal(await isFollowing(), true)
  await refresh()
  assert.deepEqual(await newFollows(), [])

  // A signature with another key is the first sign of it.
  await letTimePass()
  await bob.rotateKey()
  const note = bob.note()
  await deliver(bob, bob.activity('Create', note, { to: note['to'] }))
  assert.deepEqual(await newFollows(), follows)
})

test('they are sent at most once an hour, and the answer of the server counts', async () => {
  await bob.rotateKey()
  await refresh()
  assert.deepEqual(await newFollows(), [])
  await letTimePass()
  await bob.rotateKey()
  await refresh()
  assert.deepEqual(await newFollows(), follows)
  const id = follows.find((one) => one.startsWith(uriOf(alice)))!.split(' ')[1]
  await deliver(bob, bob.activity('Accept', id))
  assert.equal(await isFollowing(), true)
  await deliver(bob, bob.activity('Reject', id))
  assert.equal(await isFollowing(), false)
})

test('an Update that the former key signs sends none', async () => {
  await letTimePass()
  const former = { keyId: bob.keyId, privateKey: bob.keys.privateKey }
  await bob.rotateKey()
  await bob.send(bob.activity('Update', bob.document), { signer: former })
  await testServer.waitForJobs()
  assert.deepEqual(await newFollows(), [])
  await refresh()
  assert.deepEqual(await newFollows(), [])
})

test('they are also sent again if the other key has another id', async () => {
  await letTimePass()
  const keyId = `${bob.id}#other-key`
  const { publicKeyPem, privateKey } = takeKeyPair()
  bob.document['publicKey'] = { id: keyId, owner: bob.id, publicKeyPem }
  const note = bob.note()
  const activity = bob.activity('Create', note, { to: note['to'] })
  assert.equal(await fediverse.waitForAnswer(bob.send(activity, { signer: { keyId, privateKey } })), 202)
  // Bob has rejected the other one.
  assert.deepEqual(
    await newFollows(),
    follows.filter((one) => one.startsWith(uriOf(dave))),
  )
  await refresh()
  assert.deepEqual(await newFollows(), [])
})

test('a further key of an account sends none', async () => {
  await letTimePass()
  const { publicKeyPem, privateKey } = takeKeyPair()
  const keyId = `${bob.id}#further-key`
  bob.document['publicKey'] = [bob.document['publicKey'], { id: keyId, owner: bob.id, publicKeyPem }]
  const note = bob.note()
  const activity = bob.activity('Create', note, { to: note['to'] })
  assert.equal(await fediverse.waitForAnswer(bob.send(activity, { signer: { keyId, privateKey } })), 202)
  assert.deepEqual(await newFollows(), [])
  await refresh()
  assert.deepEqual(await newFollows(), [])
})
