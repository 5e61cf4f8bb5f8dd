import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff, unblockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { respondWith, gone } from '../../../../test/federation/peer/behaviour.ts'
import type { PeerHost } from '../../../../test/federation/peer/host.ts'

let clock = () => new Date()
const hosts = ['remote.test', 'other.test', 'social.split.test', 'split.test', 'xn--bcher-kva.test', 'remote']
const fediverse = await openFediverse({
  env: { DB_POOL: '10', MEDIA_CACHE_GB: '0' },
  hosts,
  now: () => clock(),
})
const { testServer, peer, uriOf } = fediverse
after(fediverse.close)
beforeEach(() => {
  for (const name of hosts) peer.host(name).recover()
})

const { ctx } = testServer
const { db } = ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const keys = (await remote.createActor('first')).keys
const alice = await testServer.createUser({ username: 'alice' })
let names = 0
const createRemoteActor = (host: PeerHost = remote, document: Record<string, unknown> = {}) =>
  host.createActor(`account${(names += 1)}`, { keys, document })

const find = async ({ username, handle }: Pick<PeerActor, 'username' | 'handle'>) =>
  ctx.remote.findAccount({ username, domain: handle.split('@')[1]! })

interface Row {
  id: string
  username: string
  domain: string
  uri: string
  display_name: string
}

async function accounts(uri: string): Promise<Row[]> {
  const { rows } =
    await sql<Row>`select id, username, domain, uri, display_name from accounts where uri = ${uri}`.execute(db)
  return rows
}

/** Makes a host respond to WebFinger requests with a document. */
function serveWebFinger(host: PeerHost, document: unknown, type: string | null = 'application/jrd+json'): void {
  const headers: Record<string, string> = type === null ? {} : { 'content-type': type }
  host.behave(/^\/\.well-known\/webfinger/, respondWith(200, { headers, body: JSON.stringify(document) }))
}
const self = (href: string) => ({ rel: 'self', type: 'application/activity+json', href })

suite('a remote account is found', () => {
  test('by its handle, with its whole profile', async () => {
    const bob = await remote.createActor('bob', {
      keys,
      document: {
        name: 'Bob :blob:',
        summary: '<p>Hi<script>x</script></p>',
        icon: { type: 'Image', url: 'https://remote.test/a.png' },
        attachment: [{ type: 'PropertyValue', name: 'Site', value: '<a href="https://x.test">x</a>' }],
        tag: [{ type: 'Emoji', name: ':blob:', icon: { type: 'Image', url: 'https://remote.test/e.png' } }],
        manuallyApprovesFollowers: true,
      },
    })
    remote.serveCollection('/users/bob/followers', [], { totalItems: 12 })
    remote.serveCollection('/users/bob/following', [], { totalItems: -1 })
    remote.serveCollection('/users/bob/outbox', [], { totalItems: 1e30 })
    const id = await find(bob)
    await testServer.waitForJobs()
    const { body } = await alice.client.get(`/api/v1/accounts/${id}`)
    assert.deepEqual(
      [body.acct, body.display_name, body.locked, body.avatar, body.uri, body.url],
      ['bob@remote.test', 'Bob :blob:', true, 'https://remote.test/a.png', bob.id, 'https://remote.test/@bob'],
    )
    assert.match(body.note, /^<p>Hi.*<\/p>$/)
    assert.doesNotMatch(body.note, /script/)
    assert.deepEqual([body.fields[0].name, body.emojis[0].shortcode], ['Site', 'blob'])
    // IN22: remote counts are clamped to valid counts.
    assert.deepEqual([body.followers_count, body.following_count, body.statuses_count], [12, 0, 2_000_000_000])
  })

  test('whose collections claim the largest numbers, and it can be followed and can post', async () => {
    const actor = await createRemoteActor()
    for (const name of ['followers', 'following', 'outbox'])
      remote.serveCollection(`${new URL(actor.id).pathname}/${name}`, [], { totalItems: 1e30 })
    await find(actor)
    await testServer.waitForJobs()
    const id = await fediverse.followEachOther(alice, actor)
    const [relationship] = (await alice.client.get('/api/v1/accounts/relationships', { id: [id] })).body
    assert.deepEqual([relationship.following, relationship.requested], [true, false])
    const note = actor.note()
    await fediverse.deliver(actor, actor.activity('Create', note))
    assert.ok(await fediverse.findStatus(note['id']))
  })

  test('FP7 by twenty concurrent lookups, as one account with one fetch', async () => {
    const actor = await createRemoteActor()
    const ids = await Promise.all(Array.from({ length: 20 }, () => find(actor)))
    assert.equal(new Set(ids).size, 1)
    assert.equal((await accounts(actor.id)).length, 1)
    assert.equal(remote.countRequests(new URL(actor.id).pathname), 1)
  })

  test('with a handle on another domain than its host', async () => {
    const host = peer.host('social.split.test')
    const actor = await host.createActor('ann', { keys })
    const jrd = { subject: 'acct:ann@split.test', links: [self(actor.id)] }
    serveWebFinger(host, jrd)
    serveWebFinger(peer.host('split.test'), jrd)
    const id = await ctx.remote.findAccount({ username: 'ann', domain: 'split.test' })
    assert.deepEqual(
      (await accounts(actor.id)).map(({ domain }) => domain),
      ['split.test'],
    )
    assert.equal(await ctx.remote.findAccount({ username: 'ann', domain: 'social.split.test' }), id)
    // VI15: a block of either domain counts.
    await blockDomainAsStaff(ctx, 'split.test', { severity: 'suspend' })
    assert.equal(await ctx.remote.findAccount({ username: 'ann', domain: 'social.split.test' }), null)
    const { status } = await actor.send(actor.activity('Follow', uriOf(alice)))
    assert.equal(status, 403)
    await unblockDomainAsStaff(ctx, 'split.test')
  })

  test('by a WebFinger document that is a static file, also if its subject has no scheme', async () => {
    const actor = await createRemoteActor()
    const host = peer.host('split.test')
    const findRedirected = async () => ctx.remote.findAccount({ username: 'me', domain: 'split.test' })
    for (const subject of [`acct:${actor.handle}`, actor.handle]) {
      for (const type of [null, 'text/plain; charset=utf-8', 'application/octet-stream', 'application/json']) {
        serveWebFinger(host, { subject, links: [self(actor.id)] }, type)
        assert.equal(await findRedirected(), await find(actor), `${subject} as ${type}`)
      }
    }
    serveWebFinger(host, { subject: `acct:${actor.handle}`, links: [self(actor.id)] }, 'text/html')
    assert.equal(await findRedirected(), null)
  })

  test('by a handle on another domain that redirects to it, in searches and mentions', async () => {
    const [actor, unknown] = [await createRemoteActor(), await createRemoteActor()]
    serveWebFinger(peer.host('split.test'), { subject: `acct:${actor.handle}`, links: [self(actor.id)] })
    for (const path of ['/api/v1/accounts/search', '/api/v2/search']) {
      const { body } = await alice.client.get(path, { q: '@me@split.test', resolve: true })
      assert.deepEqual(
        (body.accounts ?? body).map(({ acct }: { acct: string }) => acct),
        [actor.handle],
      )
    }
    const status = `Hi @ME@split.test, @${unknown.handle} and me@split.test!`
    const { id } = (await alice.client.post('/api/v1/statuses', { status })).body
    const { text } = (await alice.client.get(`/api/v1/statuses/${id}/source`)).body
    assert.equal(text, `Hi @${actor.handle}, @${unknown.handle} and me@split.test!`)
    const { mentions } = (await alice.client.put(`/api/v1/statuses/${id}`, { status: '@me@split.test' })).body
    assert.deepEqual(
      mentions.map(({ acct }: { acct: string }) => acct),
      [actor.handle],
    )
  })

  test('only after its domain is typed, which has a dot', async () => {
    const actor = await createRemoteActor()
    await find(actor)
    for (const path of ['/api/v1/accounts/search', '/api/v2/search']) {
      const { body } = await alice.client.get(path, { q: `@${actor.username}@remote`, resolve: true })
      assert.deepEqual(
        (body.accounts ?? body).map(({ acct }: { acct: string }) => acct),
        [actor.handle],
      )
    }
    assert.deepEqual(peer.host('remote').requests, [])
  })

  test('FE11 by the LRDD template in host-meta, unless that has a DTD', async () => {
    const host = peer.host('split.test')
    const actor = await createRemoteActor()
    const xrd = (head: string) => `<?xml version="1.0"?>${head}<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
      <Link rel="lrdd" template="https://other.test/finger?resource={uri}"/></XRD>`
    const jrd = { subject: `acct:${actor.username}@split.test`, links: [self(actor.id)] }
    const json = { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(jrd) }
    other.serveAt('/finger', () => json)
    serveWebFinger(remote, jrd)
    host.behave(/webfinger/, respondWith(404))
    const entity = '<!DOCTYPE x [<!ENTITY x "x">]>'
    host.behave(
      /host-meta/,
      respondWith(200, { headers: { 'content-type': 'application/xrd+xml' }, body: xrd(entity) }),
    )
    assert.equal(await ctx.remote.findAccount({ username: actor.username, domain: 'split.test' }), null)
    host.behave(/host-meta/, respondWith(200, { headers: { 'content-type': 'application/xrd+xml' }, body: xrd('') }))
    assert.notEqual(await ctx.remote.findAccount({ username: actor.username, domain: 'split.test' }), null)
    assert.deepEqual(
      (await accounts(actor.id)).map(({ domain }) => domain),
      ['split.test'],
    )
  })

  test('FE10 by any spelling of its domain', async () => {
    const actor = await createRemoteActor(peer.host('xn--bcher-kva.test'))
    for (const domain of ['bücher.test', 'BÜCHER.test', 'xn--bcher-kva.test.', 'ｂücher.test']) {
      const { body } = await alice.client.get('/api/v1/accounts/search', {
        q: `${actor.username}@${domain}`,
        resolve: true,
      })
      assert.equal(body[0]?.uri, actor.id, domain)
    }
    assert.deepEqual(
      (await accounts(actor.id)).map(({ domain }) => domain),
      ['xn--bcher-kva.test'],
    )
  })
})

suite('a stored remote account', () => {
  const HOUR_MS = 3_600_000
  const interact = async (actor: PeerActor) => {
    await actor.send(actor.activity('Follow', uriOf(alice)), { now: clock() })
    await testServer.waitForJobs()
  }
  /** Advances the clock by a number of hours. */
  const advanceClock = async (hours: number) => {
    const now = clock().getTime() + hours * HOUR_MS
    clock = () => new Date(now)
  }
  after(() => void (clock = () => new Date()))

  test('is refreshed when it is needed after a day, and a failed refresh is retried after an hour', async () => {
    const actor = await createRemoteActor()
    const path = new URL(actor.id).pathname
    await find(actor)
    await interact(actor)
    const requestCount = () => remote.countRequests(path)
    const before = requestCount()
    await advanceClock(23)
    await interact(actor)
    assert.equal(requestCount(), before)
    actor.document['name'] = 'New name'
    await advanceClock(2)
    remote.behave(path, respondWith(500))
    await interact(actor)
    await interact(actor)
    assert.equal(requestCount(), before + 1)
    remote.recover()
    await interact(actor)
    assert.equal(requestCount(), before + 1)
    await advanceClock(1.1)
    await interact(actor)
    assert.equal(requestCount(), before + 2)
    assert.equal((await accounts(actor.id))[0]!.display_name, 'New name')
  })

  test('is deleted if its server responds with 410 Gone', async () => {
    const actor = await createRemoteActor()
    await find(actor)
    await interact(actor)
    await advanceClock(25)
    remote.behave(new URL(actor.id).pathname, gone)
    await interact(actor)
    assert.deepEqual(await accounts(actor.id), [])
  })

  test('VI15 is not refreshed if its server was suspended in the meantime', async () => {
    const actor = await createRemoteActor(other)
    await find(actor)
    await interact(actor)
    await advanceClock(25)
    await blockDomainAsStaff(ctx, 'other.test', { severity: 'suspend' })
    const requestsBefore = other.requests.length
    const carol = await testServer.createUser()
    const { body } = await carol.client.post('/api/v1/statuses', { status: `@${actor.handle} hello` })
    assert.ok(body.id)
    await interact(actor)
    assert.equal(
      other.requests.filter(({ method }) => method === 'GET').length,
      other.requests.slice(0, requestsBefore).filter(({ method }) => method === 'GET').length,
    )
  })
})
