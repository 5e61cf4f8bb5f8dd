import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { answer, callIt, redirectTo } from '../../../test/peer/behaviour.ts'
import type { PeerHost } from '../../../test/peer/host.ts'

const hosts = ['remote.test', 'other.test', 'blocked.test']
const fediverse = await openFediverse({ hosts })
const { world, peer, uriOf, origin } = fediverse
after(fediverse.close)
beforeEach(() => {
  for (const name of hosts) peer.host(name).recover()
})

const { ctx } = world
const { db } = ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const keys = (await remote.createActor('first')).keys
const alice = await world.createPerson({ username: 'alice' })
let names = 0
const stranger = (host: PeerHost = remote, document: Record<string, unknown> = {}) =>
  host.createActor(`stranger${(names += 1)}`, { keys, document })

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

/** Answers questions about a handle so. */
function finger(host: PeerHost, document: unknown): void {
  host.behave(
    /^\/\.well-known\/webfinger/,
    answer(200, { headers: { 'content-type': 'application/jrd+json' }, body: JSON.stringify(document) }),
  )
}
const self = (href: string) => ({ rel: 'self', type: 'application/activity+json', href })

suite('nobody is believed', () => {
  test('IN25 whose handle is somebody else’s, or does not lead back', async () => {
    const [actor, another] = [await stranger(), await stranger(other)]
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
      finger(remote, document)
      assert.equal(await find(actor), null, JSON.stringify(document))
      assert.deepEqual(await accounts(actor.id), [])
    }
    remote.recover()
    assert.notEqual(await find(actor), null)
  })

  test('IN25 by the word of another domain than that of the handle', async () => {
    const victim = await stranger(other)
    const actor = await stranger(remote, { webfinger: victim.handle })
    finger(remote, { subject: `acct:${victim.handle}`, links: [self(actor.id)] })
    // Whoever is asked for by another name is the one whom their own domain names.
    const found = await find(actor)
    assert.equal(found, (await accounts(victim.id))[0]!.id)
    await actor.send(actor.activity('Follow', uriOf(alice)))
    await world.settle()
    assert.deepEqual(await accounts(actor.id), [])
  })

  test('IN25 with a name, an inbox or an id that can not be', async () => {
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
    ]) {
      const actor = await stranger(remote, document)
      assert.equal(await find(actor), null, JSON.stringify(document))
      assert.deepEqual(await accounts(actor.id), [])
    }
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from accounts where domain is null`.execute(db)
    assert.equal(rows[0]!.n, 1)
  })

  test('IN25 who takes the handle of another actor, unless its domain says so', async () => {
    const [before, now] = [await stranger(), await stranger()]
    await find(before)
    const username = before.username
    now.document['preferredUsername'] = username
    await now.send(now.activity('Follow', uriOf(alice)))
    await world.settle()
    assert.deepEqual([(await accounts(before.id))[0]!.username, await accounts(now.id)], [username, []])
    finger(remote, { subject: `acct:${username}@remote.test`, links: [self(now.id)] })
    await now.send(now.activity('Like', `${origin}/x`))
    assert.notEqual(await find(before), null)
    assert.equal((await accounts(now.id))[0]!.domain, 'remote.test')
    assert.notEqual((await accounts(before.id))[0]!.domain, 'remote.test')
  })

  test('FE7 whose document is not called one', async () => {
    for (const type of ['text/html', 'application/json', 'application/ld+json', 'text/plain', null]) {
      const actor = await stranger()
      remote.behave(new URL(actor.id).pathname, callIt(type))
      assert.equal(await find(actor), null)
    }
    for (const type of [
      'application/activity+json',
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    ]) {
      const actor = await stranger()
      remote.behave(new URL(actor.id).pathname, callIt(type))
      assert.notEqual(await find(actor), null)
    }
  })

  test('FE8 who does not lie where they say', async () => {
    const [actor, another] = [await stranger(), await stranger(other)]
    remote.behave(new URL(actor.id).pathname, redirectTo(another.id))
    assert.equal(await find(actor), null)
    const moved = await stranger()
    moved.document['id'] = `${moved.id}/elsewhere`
    remote.serve({ ...moved.document, id: `${moved.id}/elsewhere`, type: 'Person' })
    assert.equal(await find(moved), null)
  })

  test('IN24 who is of a blocked server, by whatever name or way', async () => {
    await sql`insert into domain_blocks (domain, severity) values ('blocked.test', 'suspend')`.execute(db)
    const blocked = peer.host('blocked.test')
    const eve = await stranger(blocked)
    assert.equal(await find(eve), null)
    const actor = await stranger()
    remote.behave(new URL(actor.id).pathname, redirectTo(eve.id))
    assert.equal(await find(actor), null)
    assert.equal(await ctx.remote.resolve({ uri: eve.id, viewerId: alice.accountId }), null)
    assert.equal(blocked.requests.length, 0)
  })
})
