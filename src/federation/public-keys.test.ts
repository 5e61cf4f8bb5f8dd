import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openFediverse } from '../../test/fediverse.ts'
import type { Fediverse } from '../../test/fediverse.ts'
import { answer, callIt, gone, redirectTo } from '../../test/peer/behaviour.ts'
import type { PeerActor } from '../../test/peer/actor.ts'
import { ensureActorKey } from './keys.ts'
import { findKnownKey, findPublicKey } from './public-keys.ts'
import type { PublicKey } from './public-keys.ts'
import { isPassing, RemoteGone, RemoteRefusal } from './remote/refusals.ts'

let fediverse: Fediverse
let now = new Date()
let count = 0

before(async () => {
  fediverse = await openFediverse({ hosts: ['far.test', 'evil.test'], effects: false, now: () => now })
  // The server's own key is made before anything is counted.
  await ensureActorKey(fediverse.world.ctx, { accountId: null })
})
after(() => fediverse.close())
beforeEach(() => {
  fediverse.peer.host('far.test').recover()
  fediverse.peer.host('evil.test').recover()
})

const far = () => fediverse.peer.host('far.test')
const ip = '203.0.113.1'
/** Finds the key for a signature that whatever key is stored or served made. */
const find = async (keyId: string) => {
  const key = await findPublicKey(fediverse.world.ctx, { keyId, ip, isSignedBy: () => true })
  assert.ok(key)
  return key
}
/** Finds the key for a signature that only another key than the stored one can have made. */
const renew = async (keyId: string) => {
  const known = await findKnownKey(fediverse.world.ctx, { keyId })
  const isSignedBy = ({ publicKey }: PublicKey) => !known?.publicKey.equals(publicKey)
  return findPublicKey(fediverse.world.ctx, { keyId, ip, isSignedBy })
}
const pemOf = (actor: PeerActor) => actor.document['publicKey'].publicKeyPem as string
const pass = (minutes: number) => void (now = new Date(now.getTime() + minutes * 60_000))

async function somebody(): Promise<PeerActor> {
  count += 1
  return far().createActor(`someone${count}`)
}

test('a key is fetched once, from the actor who lists it, and known from then on', async () => {
  const bob = await somebody()
  assert.equal(await findKnownKey(fediverse.world.ctx, { keyId: bob.keyId }), null)
  const found = await Promise.all(Array.from({ length: 5 }, async () => find(bob.keyId)))
  assert.deepEqual(new Set(found.map(({ ownerUri }) => ownerUri)), new Set([bob.id]))
  assert.equal(found[0]!.publicKey.export({ type: 'spki', format: 'pem' }), pemOf(bob))
  assert.equal((await find(bob.keyId)).ownerUri, bob.id)
  assert.equal(far().countRequests(new URL(bob.id).pathname), 1)
  assert.equal((await findKnownKey(fediverse.world.ctx, { keyId: bob.keyId }))?.ownerUri, bob.id)
})

test('the request for a key is signed by the server itself', async () => {
  const bob = await somebody()
  far().demandsSignatures = true
  assert.equal((await find(bob.keyId)).ownerUri, bob.id)
  far().demandsSignatures = false
})

test('a new key under the same id is found when it is needed, but asked for only every five minutes (IN9)', async () => {
  const bob = await somebody()
  const path = new URL(bob.id).pathname
  const before = pemOf(bob)
  await find(bob.keyId)
  await bob.rotateKey()
  assert.equal(await renew(bob.keyId), null)
  assert.equal(far().countRequests(path), 1)
  pass(6)
  const renewed = await renew(bob.keyId)
  assert.notEqual(pemOf(bob), before)
  assert.equal(renewed?.publicKey.export({ type: 'spki', format: 'pem' }), pemOf(bob))
  for (let n = 0; n < 20; n += 1) assert.equal(await renew(bob.keyId), null)
  assert.equal(far().countRequests(path), 2)
})

test('what could not be had is asked for again only after five minutes (IN9)', async () => {
  const bob = await somebody()
  const path = new URL(bob.id).pathname
  far().behave(path, answer(503))
  for (let n = 0; n < 20; n += 1) await assert.rejects(find(bob.keyId), isPassing)
  assert.equal(far().countRequests(path), 1)
  far().recover()
  await assert.rejects(find(bob.keyId), isPassing)
  pass(6)
  assert.equal((await find(bob.keyId)).ownerUri, bob.id)
})

test('an actor who is gone for ever is told apart (IN8)', async () => {
  const bob = await somebody()
  far().behave(new URL(bob.id).pathname, gone)
  await assert.rejects(find(bob.keyId), (err) => err instanceof RemoteGone && err.forEver)
})

test('a key in a document of its own counts if the actor names it', async () => {
  const bob = await somebody()
  const keyId = `${bob.id}/key`
  far().serve({
    '@context': 'https://w3id.org/security/v1',
    id: keyId,
    type: 'Key',
    owner: bob.id,
    publicKeyPem: pemOf(bob),
  })
  await assert.rejects(find(keyId), RemoteRefusal)
  bob.document['publicKey'] = [bob.document['publicKey'], keyId]
  pass(6)
  assert.equal((await find(keyId)).ownerUri, bob.id)
})

test('a stub of the actor that lies at the key leads to the actor', async () => {
  const bob = await somebody()
  const keyId = `${bob.id}/main-key`
  bob.document['publicKey'] = { ...bob.document['publicKey'], id: keyId }
  far().serveAt(new URL(keyId).pathname, {
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: bob.id,
    type: 'Person',
    preferredUsername: bob.username,
    publicKey: bob.document['publicKey'],
  })
  assert.equal((await find(keyId)).ownerUri, bob.id)
})

test('a key of one server never counts for an actor of another (IN2, IN3, IN4)', async () => {
  const bob = await somebody()
  const evil = fediverse.peer.host('evil.test')
  const mallory = await evil.createActor('mallory')
  const publicKeyPem = mallory.document['publicKey'].publicKeyPem
  const claims: Record<string, Record<string, unknown>> = {
    'a key document': { type: 'Key', owner: bob.id, publicKeyPem },
    'an actor document': { ...bob.document, publicKey: { id: 'https://evil.test/2', owner: bob.id, publicKeyPem } },
    'a stub': { ...bob.document, id: bob.id, publicKey: { id: 'https://evil.test/3', owner: bob.id, publicKeyPem } },
    'an own actor': { ...mallory.document, publicKey: { id: 'https://evil.test/4', owner: bob.id, publicKeyPem } },
    'another id': {
      ...mallory.document,
      publicKey: { id: 'https://evil.test/other', owner: mallory.id, publicKeyPem },
    },
  }
  let n = 0
  for (const [name, document] of Object.entries(claims)) {
    n += 1
    const keyId = `https://evil.test/${n}`
    evil.serveAt(`/${n}`, { id: keyId, ...document })
    await assert.rejects(find(keyId), RemoteRefusal, name)
    assert.equal(await findKnownKey(fediverse.world.ctx, { keyId }), null, name)
  }
  evil.behave('/6', redirectTo(bob.id))
  await assert.rejects(find('https://evil.test/6'), RemoteRefusal, 'a way to another server')
  evil.serveAt('/7', { ...mallory.document, publicKey: { id: `${bob.id}#new`, owner: bob.id, publicKeyPem } })
  await assert.rejects(find('https://evil.test/7'), RemoteRefusal, 'a key with a foreign id')
})

test('what is no key is none, whatever lies there (IN8)', async () => {
  const { ctx } = fediverse.world
  for (const publicKeyPem of ['', 'no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n']) {
    const bob = await somebody()
    bob.document['publicKey'].publicKeyPem = publicKeyPem
    await assert.rejects(find(bob.keyId), RemoteRefusal)
  }
  const bob = await somebody()
  far().behave(new URL(bob.id).pathname, callIt('text/html'))
  await assert.rejects(find(bob.keyId), RemoteRefusal)
  await ctx.db.insertInto('domain_blocks').values({ domain: 'evil.test', severity: 'suspend' }).execute()
  const evil = fediverse.peer.host('evil.test')
  const before = evil.requests.length
  await assert.rejects(find('https://evil.test/users/mallory2#main-key'), RemoteRefusal)
  assert.equal(evil.requests.length, before, 'nothing is asked of a blocked host (IN24)')
  await ctx.db.deleteFrom('domain_blocks').execute()
})

test('a key of our own is never replaced, and nobody is asked for it', async () => {
  const { ctx } = fediverse.world
  const { keyId, publicKeyPem } = await ensureActorKey(ctx, { accountId: null })
  assert.equal((await find(keyId)).publicKey.export({ type: 'spki', format: 'pem' }), publicKeyPem)
  pass(60)
  assert.equal(await renew(keyId), null)
  await assert.rejects(find('https://linnet.test/ap/users/1#other'), RemoteRefusal)
})

test('a follower whose key has changed reads on, and strangers cause no request (VI5)', async () => {
  const { world } = fediverse
  const ann = await world.createPerson()
  const bob = await somebody()
  const { body: note } = await ann.client.post('/api/v1/statuses', { status: 'for followers', visibility: 'private' })
  const path = new URL(bob.id).pathname
  const read = async () => (await bob.get(note.uri)).status

  assert.equal(await read(), 404)
  assert.equal(far().countRequests(path), 0, 'nothing is asked of a host that we never had to do with')

  const account = await world.ctx.db
    .insertInto('accounts')
    .values({ username: bob.username, domain: 'far.test', uri: bob.id, url: bob.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await world.ctx.db
    .insertInto('follows')
    .values({ account_id: account.id, target_account_id: ann.accountId })
    .execute()
  await world.ctx.db.insertInto('hosts').values({ domain: 'far.test' }).execute()
  assert.equal(await read(), 200)
  await bob.rotateKey()
  assert.equal(await read(), 404)
  pass(6)
  assert.equal(await read(), 200)

  pass(6)
  await bob.rotateKey()
  far().behave(path, answer(500))
  assert.equal(await read(), 404, 'a server that does not answer now leaves a stranger')
})
