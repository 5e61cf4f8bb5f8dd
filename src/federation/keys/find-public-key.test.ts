import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { blockDomainAsStaff, unblockDomainAsStaff } from '../../../test/features/moderation.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { Fediverse } from '../../../test/federation/fediverse.ts'
import { respondWith, withContentType, gone, redirectTo } from '../../../test/federation/peer/behaviour.ts'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import { ensureActorKey } from './actor-keys.ts'
import { findKnownKey, findPublicKey } from './find-public-key.ts'
import type { PublicKey } from './find-public-key.ts'
import { isTemporary, RemoteGoneError, RemoteError } from '../remote/fetch/remote-errors.ts'

let fediverse: Fediverse
let now = new Date()
let count = 0

before(async () => {
  fediverse = await openFediverse({ hosts: ['far.test', 'evil.test'], effects: false, now: () => now })
  // The instance actor's key is created before requests are counted.
  await ensureActorKey(fediverse.testServer.ctx, { accountId: null })
})
after(() => fediverse.close())
beforeEach(() => {
  fediverse.peer.host('far.test').recover()
  fediverse.peer.host('evil.test').recover()
})

const far = () => fediverse.peer.host('far.test')
const ip = '203.0.113.1'
/** Finds the key for a signature that any stored or served key counts as having made. */
const find = async (keyId: string) => {
  const key = await findPublicKey(fediverse.testServer.ctx, { keyId, ip, isSignedBy: () => true })
  assert.ok(key)
  return key
}
/** Finds the key for a signature that the stored key did not make. */
const renew = async (keyId: string) => {
  const known = await findKnownKey(fediverse.testServer.ctx, { keyId })
  const isSignedBy = ({ publicKey }: PublicKey) => !known?.publicKey.equals(publicKey)
  return findPublicKey(fediverse.testServer.ctx, { keyId, ip, isSignedBy })
}
const pemOf = (actor: PeerActor) => actor.document['publicKey'].publicKeyPem as string
const advanceClock = (minutes: number) => void (now = new Date(now.getTime() + minutes * 60_000))

async function createActor(): Promise<PeerActor> {
  count += 1
  return far().createActor(`actor${count}`)
}

test('a key is fetched once, from the actor that lists it, and stored', async () => {
  const bob = await createActor()
  assert.equal(await findKnownKey(fediverse.testServer.ctx, { keyId: bob.keyId }), null)
  const found = await Promise.all(Array.from({ length: 5 }, async () => find(bob.keyId)))
  assert.deepEqual(new Set(found.map(({ ownerUri }) => ownerUri)), new Set([bob.id]))
  assert.equal(found[0]!.publicKey.export({ type: 'spki', format: 'pem' }), pemOf(bob))
  assert.equal((await find(bob.keyId)).ownerUri, bob.id)
  assert.equal(far().countRequests(new URL(bob.id).pathname), 1)
  assert.equal((await findKnownKey(fediverse.testServer.ctx, { keyId: bob.keyId }))?.ownerUri, bob.id)
})

test('the request for a key is signed by the instance actor', async () => {
  const bob = await createActor()
  far().requiresSignatures = true
  assert.equal((await find(bob.keyId)).ownerUri, bob.id)
  far().requiresSignatures = false
})

test('a new key with the same id is found when needed, but fetched at most every five minutes (IN9)', async () => {
  const bob = await createActor()
  const path = new URL(bob.id).pathname
  const before = pemOf(bob)
  await find(bob.keyId)
  await bob.rotateKey()
  const renewed = await renew(bob.keyId)
  assert.notEqual(pemOf(bob), before)
  assert.equal(renewed?.publicKey.export({ type: 'spki', format: 'pem' }), pemOf(bob))
  await bob.rotateKey()
  for (let n = 0; n < 20; n += 1) assert.equal(await renew(bob.keyId), null)
  assert.equal(far().countRequests(path), 2)
  advanceClock(6)
  assert.equal((await renew(bob.keyId))?.publicKey.export({ type: 'spki', format: 'pem' }), pemOf(bob))
  assert.equal(far().countRequests(path), 3)
})

test('a failed fetch is repeated only after five minutes (IN9)', async () => {
  const bob = await createActor()
  const path = new URL(bob.id).pathname
  far().behave(path, respondWith(503))
  for (let n = 0; n < 20; n += 1) await assert.rejects(find(bob.keyId), isTemporary)
  assert.equal(far().countRequests(path), 1)
  far().recover()
  await assert.rejects(find(bob.keyId), isTemporary)
  advanceClock(6)
  assert.equal((await find(bob.keyId)).ownerUri, bob.id)
})

test('an actor that is gone is distinguished from other failures (IN8)', async () => {
  const bob = await createActor()
  far().behave(new URL(bob.id).pathname, gone)
  await assert.rejects(find(bob.keyId), (err) => err instanceof RemoteGoneError && err.isPermanent)
})

test('a key in a document of its own is accepted if the actor references it', async () => {
  const bob = await createActor()
  const keyId = `${bob.id}/key`
  far().serve({
    '@context': 'https://w3id.org/security/v1',
    id: keyId,
    type: 'Key',
    owner: bob.id,
    publicKeyPem: pemOf(bob),
  })
  await assert.rejects(find(keyId), RemoteError)
  bob.document['publicKey'] = [bob.document['publicKey'], keyId]
  advanceClock(6)
  assert.equal((await find(keyId)).ownerUri, bob.id)
})

test('the id of an actor stands for its first key, also after that has changed', async () => {
  const bob = await createActor()
  assert.deepEqual(
    [(await find(bob.id)).ownerUri, (await find(bob.id)).publicKey.export({ type: 'spki', format: 'pem' })],
    [bob.id, pemOf(bob)],
  )
  await bob.rotateKey()
  advanceClock(6)
  assert.equal((await renew(bob.id))?.publicKey.export({ type: 'spki', format: 'pem' }), pemOf(bob))
  const keyless = await createActor()
  keyless.document['publicKey'] = []
  await assert.rejects(find(keyless.id), RemoteError)
})

test('a stub of the actor at the URL of the key is followed to the actor', async () => {
  const bob = await createActor()
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

test('a key of one server is never accepted for an actor of another (IN2, IN3, IN4)', async () => {
  const bob = await createActor()
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
    await assert.rejects(find(keyId), RemoteError, name)
    assert.equal(await findKnownKey(fediverse.testServer.ctx, { keyId }), null, name)
  }
  evil.behave('/6', redirectTo(bob.id))
  await assert.rejects(find('https://evil.test/6'), RemoteError, 'a redirect to another server')
  evil.serveAt('/7', { ...mallory.document, publicKey: { id: `${bob.id}#new`, owner: bob.id, publicKeyPem } })
  await assert.rejects(find('https://evil.test/7'), RemoteError, 'a key with a foreign id')
})

test('an invalid key is not accepted, whatever document contains it (IN8)', async () => {
  const { ctx } = fediverse.testServer
  for (const publicKeyPem of ['', 'no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n']) {
    const bob = await createActor()
    bob.document['publicKey'].publicKeyPem = publicKeyPem
    await assert.rejects(find(bob.keyId), RemoteError)
  }
  const bob = await createActor()
  far().behave(new URL(bob.id).pathname, withContentType('text/html'))
  await assert.rejects(find(bob.keyId), RemoteError)
  await blockDomainAsStaff(ctx, 'evil.test', { severity: 'suspend' })
  const evil = fediverse.peer.host('evil.test')
  const before = evil.requests.length
  await assert.rejects(find('https://evil.test/users/mallory2#main-key'), RemoteError)
  assert.equal(evil.requests.length, before, 'nothing is requested from a suspended host (IN24)')
  await unblockDomainAsStaff(ctx, 'evil.test')
})

test('a local key is never replaced and never fetched', async () => {
  const { ctx } = fediverse.testServer
  const { keyId, publicKeyPem } = await ensureActorKey(ctx, { accountId: null })
  assert.equal((await find(keyId)).publicKey.export({ type: 'spki', format: 'pem' }), publicKeyPem)
  advanceClock(60)
  assert.equal(await renew(keyId), null)
  await assert.rejects(find('https://linnet.test/ap/users/1#other'), RemoteError)
})

test('a follower whose key has changed can still read, and unknown hosts cause no request (VI5)', async () => {
  const { testServer } = fediverse
  const ann = await testServer.createUser()
  const bob = await createActor()
  const { body: note } = await ann.client.post('/api/v1/statuses', { status: 'for followers', visibility: 'private' })
  const path = new URL(bob.id).pathname
  const read = async () => (await bob.get(note.uri)).status

  assert.equal(await read(), 404)
  assert.equal(far().countRequests(path), 0, 'nothing is requested from an unknown host')

  const account = await testServer.ctx.db
    .insertInto('accounts')
    .values({ username: bob.username, domain: 'far.test', uri: bob.id, url: bob.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await testServer.ctx.db
    .insertInto('follows')
    .values({ account_id: account.id, target_account_id: ann.accountId })
    .execute()
  await testServer.ctx.db.insertInto('hosts').values({ domain: 'far.test' }).execute()
  assert.equal(await read(), 200)
  await bob.rotateKey()
  assert.equal(await read(), 200)
  await bob.rotateKey()
  assert.equal(await read(), 404)
  advanceClock(6)
  assert.equal(await read(), 200)

  advanceClock(6)
  await bob.rotateKey()
  far().behave(path, respondWith(500))
  assert.equal(await read(), 404, 'a signer whose server fails counts as anonymous')
})
