import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { respondWith, withContentType, redirectTo } from '../../../../test/federation/peer/behaviour.ts'
import type { PeerHost } from '../../../../test/federation/peer/host.ts'

const hosts = ['remote.test', 'other.test', 'blocked.test']
const fediverse = await openFediverse({ hosts })
const { testServer, peer, uriOf, origin } = fediverse
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
function serveWebFinger(host: PeerHost, document: unknown): void {
  host.behave(
    /^\/\.well-known\/webfinger/,
    respondWith(200, { headers: { 'content-type': 'application/jrd+json' }, body: JSON.stringify(document) }),
  )
}
const self = (href: string) => ({ rel: 'self', type: 'application/activity+json', href })

suite('an actor is refused', () => {
  test('IN25 if WebFinger names another account, another actor or nothing for its handle', async () => {
    const [actor, another] = [await createRemoteActor(), await createRemoteActor(other)]
    for (const document of [
      { subject: `acct:${actor.username}@remote.test`, links: [self(another.id)] },
      { subject: 'acct:alice@linnet.test', links: [self(actor.id)] },
      { subject: `acct:${actor.username}@remote.test`, links: [self(uriOf(alice))] },
      { subject: `acct:${actor.username}@remote.test`, links: [self('javascript:alert(1)')] },
      { subject: `acct:${actor.username}@remote.test`, links: [{ ...self(actor.id), type: 'text/html' }] },
      { subject: `acct:${actor.username}@remote.test`, links: 'none' },
      { subject: 7, links: [self(actor.id)] },
      { subject: 'acct:a b@remote.test', links: [self(actor.id)] },
      {},
      null,
      [],
    ]) {
      serveWebFinger(remote, document)
      assert.equal(await find(actor), null, JSON.stringify(document))
      assert.deepEqual(await accounts(actor.id), [])
    }
    remote.recover()
    assert.notEqual(await find(actor), null)
  })

  test('IN25 if another domain than that of the handle confirms the handle', async () => {
    const victim = await createRemoteActor(other)
    const actor = await createRemoteActor(remote, { webfinger: victim.handle })
    serveWebFinger(remote, { subject: `acct:${victim.handle}`, links: [self(actor.id)] })
    // A handle that WebFinger redirects to is resolved by its own domain.
    const found = await find(actor)
    assert.equal(found, (await accounts(victim.id))[0]!.id)
    await actor.send(actor.activity('Follow', uriOf(alice)))
    await testServer.waitForJobs()
    assert.deepEqual(await accounts(actor.id), [])
  })

  test('IN25 if its username, inbox, id or context is invalid', async () => {
    for (const document of [
      { preferredUsername: 'a b' },
      { preferredUsername: '../x' },
      { preferredUsername: 'ünïcode' },
      { preferredUsername: '' },
      { preferredUsername: undefined },
      { inbox: 'javascript:alert(1)' },
      { inbox: 'http://remote.test/inbox' },
      { inbox: 'https://10.0.0.1/inbox' },
      { inbox: 'https://[::ffff:192.168.0.1]/inbox' },
      { inbox: 'https://2130706433.0.0.0.0/inbox' },
      { inbox: 'https://localhost/inbox' },
      { inbox: 'https://remote.test:22/inbox' },
      { inbox: 'https://user:pass@remote.test/inbox' },
      { inbox: undefined },
      { id: `${origin}/ap/users/1` },
      { id: uriOf(alice) },
      { id: 'https://other.test/users/stolen' },
      { id: undefined },
      { type: 'Note' },
      { type: undefined },
      { webfinger: 'alice@linnet.test' },
      { '@context': 'https://w3id.org/security/v1' },
    ]) {
      const actor = await createRemoteActor(remote, document)
      assert.equal(await find(actor), null, JSON.stringify(document))
      assert.deepEqual(await accounts(actor.id), [])
    }
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from accounts where domain is null`.execute(db)
    assert.equal(rows[0]!.n, 1)
  })

  test('IN25 if it claims the handle of another actor, unless WebFinger confirms it', async () => {
    const [before, now] = [await createRemoteActor(), await createRemoteActor()]
    await find(before)
    const username = before.username
    now.document['preferredUsername'] = username
    await now.send(now.activity('Follow', uriOf(alice)))
    await testServer.waitForJobs()
    assert.deepEqual([(await accounts(before.id))[0]!.username, await accounts(now.id)], [username, []])
    serveWebFinger(remote, { subject: `acct:${username}@remote.test`, links: [self(now.id)] })
    await now.send(now.activity('Like', `${origin}/x`))
    assert.notEqual(await find(before), null)
    assert.equal((await accounts(now.id))[0]!.domain, 'remote.test')
    assert.notEqual((await accounts(before.id))[0]!.domain, 'remote.test')
  })

  test('FE7 if its document has another content type', async () => {
    for (const type of ['text/html', 'application/json', 'application/ld+json', 'text/plain', null]) {
      const actor = await createRemoteActor()
      remote.behave(new URL(actor.id).pathname, withContentType(type))
      assert.equal(await find(actor), null)
    }
    for (const type of [
      'application/activity+json',
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    ]) {
      const actor = await createRemoteActor()
      remote.behave(new URL(actor.id).pathname, withContentType(type))
      assert.notEqual(await find(actor), null)
    }
  })

  test('FE8 if it is not served at its id', async () => {
    const [actor, another] = [await createRemoteActor(), await createRemoteActor(other)]
    remote.behave(new URL(actor.id).pathname, redirectTo(another.id))
    assert.equal(await find(actor), null)
    const moved = await createRemoteActor()
    moved.document['id'] = `${moved.id}/elsewhere`
    remote.serve({ ...moved.document, id: `${moved.id}/elsewhere`, type: 'Person' })
    assert.equal(await find(moved), null)
  })

  test('IN24 if its server is suspended, also behind a redirect', async () => {
    await blockDomainAsStaff(ctx, 'blocked.test', { severity: 'suspend' })
    const blocked = peer.host('blocked.test')
    const eve = await createRemoteActor(blocked)
    assert.equal(await find(eve), null)
    const actor = await createRemoteActor()
    remote.behave(new URL(actor.id).pathname, redirectTo(eve.id))
    assert.equal(await find(actor), null)
    assert.equal(await ctx.remote.resolve({ uri: eve.id, viewerId: alice.accountId }), null)
    assert.equal(blocked.requests.length, 0)
  })
})

test('deliveries to an inbox with the default port belong to the host of the actor', async () => {
  const actor = await createRemoteActor()
  Object.assign(actor.document, { inbox: `https://REMOTE.test:443/users/${actor.username}/inbox`, endpoints: {} })
  await actor.send(actor.activity('Follow', uriOf(alice)))
  await actor.inbox.next(({ type }) => type === 'Accept')
  await testServer.waitForJobs()
  const { rows } = await sql`select distinct domain from deliveries`.execute(db)
  assert.deepEqual(rows, [{ domain: 'remote.test' }])
})

test('an actor without a preferredUsername that is valid in a handle has the handle of its webfinger property', async () => {
  for (const preferredUsername of ['Ünï code', undefined]) {
    const actor = await createRemoteActor(remote, { preferredUsername })
    actor.document['webfinger'] = actor.handle
    await actor.send(actor.activity('Follow', uriOf(alice)))
    await actor.inbox.next(({ type }) => type === 'Accept')
    const [{ username, domain }] = (await accounts(actor.id)) as [Row]
    assert.equal(`${username}@${domain}`, actor.handle)
  }
})
