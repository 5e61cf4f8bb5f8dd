import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { Fediverse } from '../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import { respondWith } from '../../../test/federation/peer/behaviour.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { digestOfIds, parseFollowerDigest, writeFollowerDigest } from './follower-digest.ts'

const HEADER = 'collection-synchronization'

suite('the digest of the followers of a local account', () => {
  let fediverse: Fediverse
  let ann: TestUser
  let bob: PeerActor
  let bea: PeerActor
  let cy: PeerActor

  before(async () => {
    fediverse = await openFediverse({ hosts: ['far.test', 'other.test'] })
    ann = await fediverse.testServer.createUser({ username: 'ann' })
    bob = await fediverse.peer.host('far.test').createActor('bob')
    bea = await fediverse.peer.host('far.test').createActor('bea')
    cy = await fediverse.peer.host('other.test').createActor('cy')
    for (const actor of [bob, bea, cy]) await fediverse.deliver(actor, actor.activity('Follow', fediverse.uriOf(ann)))
  })
  after(() => fediverse.close())

  /** Posts a status, and returns the headers with which each host received it. */
  async function post(visibility: string, status = 'words') {
    const hosts = ['far.test', 'other.test'].map((name) => fediverse.peer.host(name))
    const starts = hosts.map(({ requests }) => requests.length)
    await ann.client.post('/api/v1/statuses', { status, visibility })
    await fediverse.testServer.waitForJobs()
    return hosts.map(({ requests }, n) => requests.slice(starts[n]).find(({ method }) => method === 'POST')?.headers)
  }

  test('a private post names to each server the digest of its own followers, and signs it', async () => {
    const [far, other] = await post('private')
    const uri = fediverse.uriOf(ann)
    const named = { collectionId: `${uri}/followers`, url: `${uri}/followers_synchronization` }
    assert.deepEqual(parseFollowerDigest(String(far?.[HEADER])), { ...named, digest: digestOfIds([bob.id, bea.id]) })
    assert.deepEqual(parseFollowerDigest(String(other?.[HEADER])), { ...named, digest: digestOfIds([cy.id]) })
    assert.match(String(far?.['signature']), /headers="[^"]*collection-synchronization/)
  })

  test('a server that only verifies message signatures gets the header, too', async () => {
    const host = fediverse.peer.host('other.test')
    host.acceptedSpecs = 'rfc9421'
    const before = host.requests.length
    await post('private')
    const { headers } = host.requests.slice(before).findLast(({ method }) => method === 'POST')!
    assert.match(String(headers['signature-input']), /"collection-synchronization"/)
    assert.ok(cy.inbox.all('Create').length >= 2)
    host.acceptedSpecs = 'both'
  })

  test('other posts have no such header', async () => {
    for (const visibility of ['public', 'unlisted', 'direct']) {
      const [headers] = await post(visibility, `@${bob.handle}`)
      assert.ok(headers, visibility)
      assert.equal(headers[HEADER], undefined)
    }
  })

  test('each server gets the list of its own followers, and nobody else gets one', async () => {
    const url = `${fediverse.uriOf(ann)}/followers_synchronization`
    const { status, json } = await bob.get(url)
    assert.equal(status, 200)
    assert.deepEqual([json?.['type'], json?.['orderedItems']], ['OrderedCollection', [bob.id, bea.id]])
    assert.deepEqual((await cy.get(url)).json?.['orderedItems'], [cy.id])
    assert.equal((await bob.get(url, { as: 'unsigned' })).status, 401)
    const { privateKey } = cy.keys
    assert.equal((await bob.get(url, { signer: { keyId: bob.keyId, privateKey } })).status, 401)
    assert.equal((await bob.get(`${fediverse.origin}/ap/users/1234/followers_synchronization`)).status, 404)
  })
})

suite('a delivery with a digest of the local followers', () => {
  let fediverse: Fediverse
  let bob: PeerActor
  let users: TestUser[]
  let bobId: string
  let passedMs = 0

  before(async () => {
    fediverse = await openFediverse({
      hosts: ['far.test', 'other.test'],
      now: () => new Date(Date.now() + passedMs),
    })
    bob = await fediverse.peer.host('far.test').createActor('bob')
    users = [await fediverse.testServer.createUser(), await fediverse.testServer.createUser()]
    for (const user of users) bobId = await fediverse.followEachOther(user, bob)
  })
  after(() => fediverse.close())

  const urlOf = (actor: PeerActor) => `${actor.id}/followers_synchronization`

  const typed = { 'content-type': 'application/activity+json' }

  /** Delivers a private post of bob, whose server lists these followers; `named`: those of the digest. */
  async function deliver(listed: readonly TestUser[], named: Iterable<TestUser> = listed, url = urlOf(bob)) {
    const host = fediverse.peer.host('far.test')
    const id = urlOf(bob)
    const list = { '@context': 'https://www.w3.org/ns/activitystreams', id, type: 'OrderedCollection' }
    const body = JSON.stringify({ ...list, orderedItems: listed.map((user) => fediverse.uriOf(user)) })
    host.behave(/followers_synchronization/, respondWith(200, { headers: typed, body }))
    const note = bob.note({ to: [bob.followersUrl], cc: [] })
    const digest = digestOfIds([...named].map((user) => fediverse.uriOf(user)))
    const headers = { [HEADER]: writeFollowerDigest({ collectionId: bob.followersUrl, url, digest }) }
    const { status } = await bob.send(bob.activity('Create', note, { to: note['to'] }), { headers })
    assert.equal(status, 202)
    await fediverse.testServer.waitForJobs()
    host.recover()
    // Only three reconciliations of an account are made in five minutes.
    passedMs += 5 * 60_000 + 1
  }

  const relationships = async () =>
    Promise.all(
      users.map(async ({ client }) => {
        const { body } = await client.get(`/api/v1/accounts/relationships?id[]=${bobId}`)
        return body[0].requested ? 'requested' : body[0].following
      }),
    )

  test('nothing is fetched while the followers are the same', async () => {
    await deliver(users)
    assert.equal(fediverse.peer.host('far.test').countRequests(/followers_synchronization/), 0)
    assert.deepEqual(await relationships(), [true, true])
  })

  test('a list that is not that of the digest ends no follow', async () => {
    await deliver([], users.slice(0, 1))
    assert.equal(fediverse.peer.host('far.test').countRequests(/followers_synchronization/), 1)
    assert.deepEqual(await relationships(), [true, true])
  })

  test('a list on another server is not fetched', async () => {
    await deliver([], [], 'https://other.test/followers_synchronization')
    assert.equal(fediverse.peer.host('other.test').requests.length, 0)
    assert.deepEqual(await relationships(), [true, true])
  })

  test('a follow that the other server does not list ends', async () => {
    await deliver(users.slice(1))
    assert.deepEqual(await relationships(), [false, true])
  })

  test('a follow that only the other server has stored is undone there', async () => {
    bob.inbox.clear()
    await deliver(users)
    const { activity } = await bob.inbox.next(({ type }) => type === 'Undo')
    const { type, actor, object } = activity['object'] as Record<string, unknown>
    assert.deepEqual({ type, actor, object }, { type: 'Follow', actor: fediverse.uriOf(users[0]!), object: bob.id })
    assert.deepEqual(await relationships(), [false, true])
  })

  test('a follow request whose Accept was lost becomes a follow', async () => {
    await users[0]!.client.post(`/api/v1/accounts/${bobId}/follow`)
    await fediverse.testServer.waitForJobs()
    assert.deepEqual(await relationships(), ['requested', true])
    await deliver(users)
    assert.deepEqual(await relationships(), [true, true])
  })

  test('a list of several pages is read completely', async () => {
    const host = fediverse.peer.host('far.test')
    const [id, first, second] = [urlOf(bob), `${urlOf(bob)}?page=1`, `${urlOf(bob)}?page=2`]
    const uris = users.map((user) => fediverse.uriOf(user))
    const documents = new Map<string, object>([
      [id, { id, type: 'OrderedCollection', first }],
      [first, { id: first, type: 'OrderedCollectionPage', next: second, orderedItems: uris.slice(0, 1) }],
      [second, { id: second, type: 'OrderedCollectionPage', orderedItems: uris.slice(1) }],
    ])
    host.behave(/followers_synchronization/, ({ request, response }) => {
      response.writeHead(200, typed).end(JSON.stringify(documents.get(`https://far.test${request.path}`)))
    })
    const url = urlOf(bob)
    await users[1]!.client.post(`/api/v1/accounts/${bobId}/unfollow`)
    await fediverse.testServer.waitForJobs()
    bob.inbox.clear()
    const { ctx } = fediverse.testServer
    await ctx.write(async (tx) => tx.emit('followers.differ', { accountId: bobId, url, digest: digestOfIds(uris) }))
    await fediverse.testServer.waitForJobs()
    assert.deepEqual(await relationships(), [true, false])
    const [{ object }] = bob.inbox.all('Undo') as [{ object: { actor: string } }]
    assert.equal(object.actor, uris[1])
    host.recover()
  })

  test('the list of an account is fetched at most three times in five minutes', async () => {
    const host = fediverse.peer.host('far.test')
    const requests = () => host.countRequests(/followers_synchronization$/)
    const before = requests()
    for (let count = 0; count < 5; count += 1) {
      await deliver([], users)
      passedMs -= 5 * 60_000
    }
    assert.equal(requests() - before, 3)
    assert.deepEqual(await relationships(), [true, false])
  })
})
