import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import {
  respondWith,
  withContentType,
  gone,
  neverRespond,
  largeBody,
  redirectTo,
} from '../../../../test/federation/peer/behaviour.ts'

let clock = () => new Date()
const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'silent.test'], now: () => clock() })
const { testServer, peer, origin, uriOf, waitForAnswer, expectRejected } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const [bob, mallory] = [await remote.createActor('bob'), await peer.host('other.test').createActor('mallory')]
const alice = await testServer.createUser({ username: 'alice' })
let names = 0
const createRemoteActor = () => remote.createActor(`account${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, user = alice) => actor.activity('Follow', uriOf(user))
const followers = async (user = alice) =>
  (await user.client.get(`/api/v1/accounts/${user.accountId}/followers`)).body.map((one: { acct: string }) => one.acct)

suite('hostile signatures and keys', () => {
  test('IN7 invalid times, repeated parameters and invalid key ids cause no request', async () => {
    const requestsBefore = remote.requests.length
    const rewrite = (edit: (signature: string) => string, header = 'signature') => ({
      tamper: ({ headers }: { headers: Record<string, string> }) => void (headers[header] = edit(headers[header]!)),
    })
    const fresh = await createRemoteActor()
    for (const keyId of [
      'data:text/plain,x',
      'acct:bob@remote.test',
      `https://remote.test/${'x'.repeat(65_536)}`,
      'x',
    ]) {
      const { privateKey } = fresh.keys
      assert.ok(
        [400, 401].includes(await expectRejected(fresh, follow(fresh), { signer: { keyId, privateKey } })),
        keyId,
      )
    }
    for (const created of ['soon', '1e20', '-1', '99999999999']) {
      const code = await expectRejected(
        fresh,
        follow(fresh),
        rewrite((text) => `${text},created=${created},headers="(created)"`),
      )
      assert.equal(code, 400)
    }
    for (const date of ['yesterday', '1e20', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 00:00:00 GMT']) {
      assert.equal(
        await expectRejected(
          fresh,
          follow(fresh),
          rewrite(() => date, 'date'),
        ),
        401,
      )
    }
    assert.equal(
      await expectRejected(
        fresh,
        follow(fresh),
        rewrite((text) => `${text},keyId="${bob.keyId}"`),
      ),
      400,
    )
    assert.equal(remote.requests.length, requestsBefore)
  })

  test('IN8 a key URL that redirects, is endless or serves no document is refused', async () => {
    for (const [behaviour, codes] of [
      [redirectTo(mallory.id), [401]],
      [redirectTo('https://silent.test/x'), [401, 503]],
      [largeBody(1024 ** 3), [401, 503]],
      [withContentType('text/html'), [401]],
      [withContentType(null), [401]],
      [respondWith(404), [401]],
      [respondWith(401), [401]],
      [respondWith(500), [503]],
    ] as const) {
      const actor = await createRemoteActor()
      remote.behave(new URL(actor.id).pathname, behaviour)
      assert.ok((codes as readonly number[]).includes(await expectRejected(actor, follow(actor))))
    }
  })

  test('IN8 a delivery whose key does not arrive within ten seconds gets 503', async () => {
    const actor = await createRemoteActor()
    remote.behave(new URL(actor.id).pathname, neverRespond)
    const startedAt = performance.now()
    assert.equal(await waitForAnswer(actor.send(follow(actor))), 503)
    assert.ok(performance.now() - startedAt < 12_000)
  })

  test('IN8 a 410 for an actor proves its deletion and nothing else', async () => {
    const actor = await createRemoteActor()
    const user = await testServer.createUser()
    await actor.send(follow(actor, user))
    await testServer.waitForJobs()
    assert.deepEqual(await followers(user), [actor.handle])
    remote.behave(new URL(actor.id).pathname, gone)
    const signer = { keyId: `${actor.id}#new-key`, privateKey: mallory.keys.privateKey }
    assert.equal(await expectRejected(actor, actor.activity('Undo', follow(actor, user)), { signer }), 401)
    assert.equal(await expectRejected(actor, actor.activity('Delete', bob.id), { signer }), 401)
    const { privateKey } = signer
    const deletion = actor.activity('Delete', actor.id)
    assert.equal(await waitForAnswer(actor.send(deletion, { signer: { keyId: `${actor.id}#newer`, privateKey } })), 202)
    await testServer.waitForJobs()
    assert.deepEqual(await followers(user), [])
  })

  test('a deletion proven by a 410 does not mark the host of a missing key as reachable', async () => {
    const actor = await createRemoteActor()
    await actor.send(follow(actor))
    await testServer.waitForJobs()
    remote.behave(new URL(actor.id).pathname, gone)
    const unreachableSince = new Date(Date.now() - 60_000)
    const isUnavailable = async () => {
      const { rows } = await sql`
        select from hosts where domain = 'other.test' and unreachable_since is not null`.execute(testServer.ctx.db)
      return rows.length === 1
    }
    await sql`
      insert into hosts (domain, unreachable_since) values ('other.test', ${unreachableSince})
      on conflict (domain) do update set unreachable_since = excluded.unreachable_since`.execute(testServer.ctx.db)
    // As if another server had forwarded it: only then may the key be on another host.
    const deletion = actor.activity('Delete', actor.id, { signature: { type: 'RsaSignature2017' } })
    const signer = { keyId: 'https://other.test/users/nobody#main-key', privateKey: bob.keys.privateKey }
    assert.equal(await waitForAnswer(actor.send(deletion, { signer })), 202)
    await testServer.waitForJobs()
    const { rows } = await sql`select from accounts where uri = ${actor.id}`.execute(testServer.ctx.db)
    assert.equal(rows.length, 0)
    assert.equal(await isUnavailable(), true)
    assert.equal(await waitForAnswer(mallory.send(like(mallory))), 202)
    assert.equal(await isUnavailable(), false, 'a signature by a key of the host itself')
    remote.recover()
  })

  test('IN9 many invalid signatures cause one fetch of the key in five minutes', async () => {
    const actor = await createRemoteActor()
    await actor.send(like(actor))
    const path = new URL(actor.id).pathname
    const later = new Date(Date.now() + 10 * 60_000)
    clock = () => later
    const requestsBefore = remote.countRequests(path)
    const signer = { keyId: actor.keyId, privateKey: mallory.keys.privateKey }
    const codes = await Promise.all(
      Array.from({ length: 40 }, () => waitForAnswer(actor.send(like(actor), { signer, now: later }))),
    )
    assert.deepEqual([...new Set(codes)], [401])
    assert.equal(remote.countRequests(path), requestsBefore + 1)
    assert.equal(await waitForAnswer(actor.send(like(actor), { now: later })), 202)
    clock = () => new Date()
  })

  test('a new key with the old id is found at once, another one after five minutes', async () => {
    const actor = await remote.createActor('rotating')
    await actor.send(like(actor))
    await actor.rotateKey()
    assert.equal(await waitForAnswer(actor.send(like(actor))), 202)
    await actor.rotateKey()
    assert.equal(await waitForAnswer(actor.send(like(actor))), 401)
    const later = new Date(Date.now() + 6 * 60_000)
    clock = () => later
    assert.equal(await waitForAnswer(actor.send(like(actor), { now: later })), 202)
    clock = () => new Date()
  })
})
