import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { answer, callIt, gone, hang, huge, redirectTo } from '../../../test/peer/behaviour.ts'

let clock = () => new Date()
const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'silent.test'], now: () => clock() })
const { world, peer, origin, uriOf, answerTo, refuse } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const [bob, mallory] = [await remote.createActor('bob'), await peer.host('other.test').createActor('mallory')]
const alice = await world.createPerson({ username: 'alice' })
let names = 0
const stranger = () => remote.createActor(`stranger${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, person = alice) => actor.activity('Follow', uriOf(person))
const followers = async (person = alice) =>
  (await person.client.get(`/api/v1/accounts/${person.accountId}/followers`)).body.map(
    (one: { acct: string }) => one.acct,
  )

suite('signatures and keys that are meant to hurt', () => {
  test('IN7 senseless times, repeated parameters and ids of keys that are none ask nobody', async () => {
    const asked = remote.requests.length
    const rewrite = (edit: (signature: string) => string, header = 'signature') => ({
      tamper: ({ headers }: { headers: Record<string, string> }) => void (headers[header] = edit(headers[header]!)),
    })
    const fresh = await stranger()
    for (const keyId of [
      'data:text/plain,x',
      'acct:bob@remote.test',
      `https://remote.test/${'x'.repeat(65_536)}`,
      'x',
    ]) {
      const { privateKey } = fresh.keys
      assert.ok([400, 401].includes(await refuse(fresh, follow(fresh), { signer: { keyId, privateKey } })), keyId)
    }
    for (const created of ['soon', '1e20', '-1', '99999999999']) {
      const code = await refuse(
        fresh,
        follow(fresh),
        rewrite((text) => `${text},created=${created},headers="(created)"`),
      )
      assert.equal(code, 400)
    }
    for (const date of ['yesterday', '1e20', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 00:00:00 GMT']) {
      assert.equal(
        await refuse(
          fresh,
          follow(fresh),
          rewrite(() => date, 'date'),
        ),
        401,
      )
    }
    assert.equal(
      await refuse(
        fresh,
        follow(fresh),
        rewrite((text) => `${text},keyId="${bob.keyId}"`),
      ),
      400,
    )
    assert.equal(remote.requests.length, asked)
  })

  test('IN8 a key that leads elsewhere, hangs, never ends or is a page', async () => {
    for (const [behaviour, codes] of [
      [redirectTo(mallory.id), [401]],
      [redirectTo('https://silent.test/x'), [401, 503]],
      [huge(1024 ** 3), [401, 503]],
      [callIt('text/html'), [401]],
      [callIt(null), [401]],
      [answer(404), [401]],
      [answer(401), [401]],
      [answer(500), [503]],
    ] as const) {
      const actor = await stranger()
      remote.behave(new URL(actor.id).pathname, behaviour)
      assert.ok((codes as readonly number[]).includes(await refuse(actor, follow(actor))))
    }
  })

  test('IN8 whoever lets us wait for a key is told to come back after ten seconds', async () => {
    const actor = await stranger()
    remote.behave(new URL(actor.id).pathname, hang)
    const began = performance.now()
    assert.equal(await answerTo(actor.send(follow(actor))), 503)
    assert.ok(performance.now() - began < 12_000)
  })

  test('IN8 an actor who is gone for ever proves that they were deleted, and nothing else', async () => {
    const actor = await stranger()
    const person = await world.createPerson()
    await actor.send(follow(actor, person))
    await world.settle()
    assert.deepEqual(await followers(person), [actor.handle])
    remote.behave(new URL(actor.id).pathname, gone)
    const signer = { keyId: `${actor.id}#new-key`, privateKey: mallory.keys.privateKey }
    assert.equal(await refuse(actor, actor.activity('Undo', follow(actor, person)), { signer }), 401)
    assert.equal(await refuse(actor, actor.activity('Delete', bob.id), { signer }), 401)
    const { privateKey } = signer
    const deletion = actor.activity('Delete', actor.id)
    assert.equal(await answerTo(actor.send(deletion, { signer: { keyId: `${actor.id}#newer`, privateKey } })), 202)
    await world.settle()
    assert.deepEqual(await followers(person), [])
  })

  test('a proven deletion says nothing about the host that is named by a key which does not exist', async () => {
    const actor = await stranger()
    await actor.send(follow(actor))
    await world.settle()
    remote.behave(new URL(actor.id).pathname, gone)
    const dead = new Date(Date.now() - 60_000)
    const isUnavailable = async () => {
      const { rows } = await sql`
        select from hosts where domain = 'other.test' and unavailable_since is not null`.execute(world.ctx.db)
      return rows.length === 1
    }
    await sql`
      insert into hosts (domain, unavailable_since) values ('other.test', ${dead})
      on conflict (domain) do update set unavailable_since = excluded.unavailable_since`.execute(world.ctx.db)
    // As if another server had sent it on: only then may the key be one of another host.
    const deletion = actor.activity('Delete', actor.id, { signature: { type: 'RsaSignature2017' } })
    const signer = { keyId: 'https://other.test/users/nobody#main-key', privateKey: bob.keys.privateKey }
    assert.equal(await answerTo(actor.send(deletion, { signer })), 202)
    await world.settle()
    const { rows } = await sql`select from accounts where uri = ${actor.id}`.execute(world.ctx.db)
    assert.equal(rows.length, 0)
    assert.equal(await isUnavailable(), true)
    assert.equal(await answerTo(mallory.send(like(mallory))), 202)
    assert.equal(await isUnavailable(), false, 'a signature by a key of the host itself')
    remote.recover()
  })

  test('IN9 a flood of bad signatures asks once in five minutes for the key', async () => {
    const actor = await stranger()
    await actor.send(like(actor))
    const path = new URL(actor.id).pathname
    const later = new Date(Date.now() + 10 * 60_000)
    clock = () => later
    const asked = remote.countRequests(path)
    const signer = { keyId: actor.keyId, privateKey: mallory.keys.privateKey }
    const codes = await Promise.all(
      Array.from({ length: 40 }, () => answerTo(actor.send(like(actor), { signer, now: later }))),
    )
    assert.deepEqual([...new Set(codes)], [401])
    assert.equal(remote.countRequests(path), asked + 1)
    assert.equal(await answerTo(actor.send(like(actor), { now: later })), 202)
    clock = () => new Date()
  })

  test('a new key under the old id is found by itself', async () => {
    const actor = await remote.createActor('rotating')
    await actor.send(like(actor))
    await actor.rotateKey()
    assert.equal(await answerTo(actor.send(like(actor))), 401)
    const later = new Date(Date.now() + 6 * 60_000)
    clock = () => later
    assert.equal(await answerTo(actor.send(like(actor), { now: later })), 202)
    clock = () => new Date()
  })
})
