import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { gone, resetConnection, respondWith } from '../../../../test/federation/peer/behaviour.ts'

const HOUR_MS = 3_600_000
let offset = 0
const fediverse = await openFediverse({
  env: { MEDIA_CACHE_GB: '0' },
  hosts: ['remote.test'],
  now: () => new Date(Date.now() + offset),
})
const { testServer, peer } = fediverse
after(fediverse.close)
const remote = peer.host('remote.test')
const alice = await testServer.createUser({ username: 'alice' })
const { keys } = await remote.createActor('first')
const WEBFINGER = /^\/\.well-known\/webfinger/

beforeEach(() => remote.recover())

let names = 0
/** Creates an actor that this server stored 25 hours ago. */
async function createKnownActor(): Promise<PeerActor> {
  const actor = await remote.createActor(`account${(names += 1)}`, { keys })
  offset = 0
  assert.deepEqual(await search(actor.handle), [actor.id])
  await testServer.waitForJobs()
  offset = 25 * HOUR_MS
  return actor
}

async function search(handle: string): Promise<string[]> {
  const { body } = await alice.client.get('/api/v2/search', { q: `@${handle}`, type: 'accounts', resolve: true })
  return body.accounts.map(({ uri }: { uri: string }) => uri)
}

/** Gives the handle of an actor to a new one, as a server does that was installed again. Returns the new id. */
function replaceActor({ document, handle, username }: PeerActor): string {
  const id = `${remote.origin}/actors/${username}`
  remote.serve({
    ...document,
    id,
    inbox: `${id}/inbox`,
    publicKey: { ...document['publicKey'], id: `${id}#key`, owner: id },
  })
  const links = [{ rel: 'self', type: 'application/activity+json', href: id }]
  const headers = { 'content-type': 'application/jrd+json' }
  remote.behave(WEBFINGER, respondWith(200, { headers, body: JSON.stringify({ subject: `acct:${handle}`, links }) }))
  return id
}

suite('a known remote account that is found by its handle with a request', () => {
  test('is the one that has the handle now, if its server gave it to another actor', async () => {
    const actor = await createKnownActor()
    const id = replaceActor(actor)
    assert.deepEqual(await search(actor.handle), [id])
    const { body } = await alice.client.get('/api/v1/accounts/lookup', { acct: actor.handle })
    assert.equal(body.uri, id)
  })

  test('is the one that has the handle now, also when it is followed', async () => {
    const actor = await createKnownActor()
    const id = replaceActor(actor)
    const { body } = await alice.client.post('/api/v1/follows', { uri: actor.handle })
    assert.equal(body.uri, id)
  })

  test('is refreshed once a day', async () => {
    const actor = await createKnownActor()
    actor.document['name'] = 'A new name'
    const requests = () => remote.countRequests(WEBFINGER)
    const before = requests()
    for (let n = 0; n < 3; n += 1) assert.deepEqual(await search(actor.handle), [actor.id])
    assert.equal(requests(), before + 1)
    const { body } = await alice.client.get('/api/v1/accounts/lookup', { acct: actor.handle })
    assert.equal(body.display_name, 'A new name')
  })

  test('is the stored one if its server does not respond, which is tried once an hour', async () => {
    const actor = await createKnownActor()
    remote.behave(/./, resetConnection)
    const { length: before } = remote.requests
    for (let n = 0; n < 3; n += 1) assert.deepEqual(await search(actor.handle), [actor.id])
    assert.equal(remote.requests.length, before + 1)
    offset += HOUR_MS + 1
    assert.deepEqual(await search(actor.handle), [actor.id])
    assert.equal(remote.requests.length, before + 2)
  })

  test('is the stored one if its server does not know the handle any more', async () => {
    const actor = await createKnownActor()
    remote.behave(WEBFINGER, respondWith(404))
    assert.deepEqual(await search(actor.handle), [actor.id])
  })

  test('is not suspended any more if its server has ended the suspension', async () => {
    const actor = await remote.createActor('returning', { keys, document: { suspended: true } })
    await search(actor.handle)
    const readSuspended = async () =>
      (await alice.client.get('/api/v1/accounts/lookup', { acct: actor.handle })).body.suspended ?? false
    assert.equal(await readSuspended(), true)
    actor.document['suspended'] = false
    offset += 25 * HOUR_MS
    await search(actor.handle)
    assert.equal(await readSuspended(), false)
  })

  test('is deleted if its server has deleted it', async () => {
    const actor = await createKnownActor()
    remote.behave(WEBFINGER, gone)
    remote.behave(new URL(actor.id).pathname, gone)
    assert.deepEqual(await search(actor.handle), [])
    await testServer.waitForJobs()
    const { status } = await alice.client.get('/api/v1/accounts/lookup', { acct: actor.handle })
    assert.equal(status, 404)
  })
})
