import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { answer, callIt, gone, hang, huge, redirectTo } from '../../../test/peer/behaviour.ts'
import { measureStall } from '../../../test/stall.ts'

const hosts = ['remote.test', 'other.test', 'blocked.test', 'sub.blocked.test', 'silent.test']
let clock = () => new Date()
const fediverse = await openFediverse({ hosts, now: () => clock() })
const { world, peer, origin, uriOf, countRows } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const other = peer.host('other.test')
const alice = await world.createPerson({ username: 'alice' })
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory')
let names = 0
const stranger = (host = remote) => host.createActor(`stranger${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor, object = `${origin}/nothing`) => actor.activity('Like', object)

async function status(sent: ReturnType<PeerActor['send']>): Promise<number> {
  const { status: code, body, json } = await sent
  if (code === 202) assert.equal(body, '')
  else assert.deepEqual([Object.keys(json), typeof json.error], [['error'], 'string'])
  return code
}

/** Sends, and finds that nothing came of it but the answer. */
async function refuse(
  actor: PeerActor,
  activity: Parameters<PeerActor['send']>[0],
  options?: Parameters<PeerActor['send']>[1],
) {
  await world.settle()
  const before = await countRows()
  const code = await status(actor.send(activity, options))
  await world.settle()
  assert.deepEqual(await countRows(), before)
  return code
}

const follow = (actor: PeerActor, person = alice) => actor.activity('Follow', uriOf(person))
const followers = async (person = alice) =>
  (await person.client.get(`/api/v1/accounts/${person.accountId}/followers`)).body.map(
    (one: { acct: string }) => one.acct,
  )

suite('what is taken', () => {
  test('by either kind of signature, at every inbox, with an empty answer', async () => {
    for (const as of ['cavage', 'rfc9421'] as const) {
      for (const path of ['/inbox', '/actor/inbox', `/ap/users/${alice.accountId}/inbox`, '/users/Alice/inbox']) {
        assert.equal(await status(bob.send(like(bob), { as, to: origin + path })), 202)
      }
    }
  })

  test('under each name of its type', async () => {
    for (const type of ['application/activity+json', 'application/json', 'application/ld+json; profile="x"']) {
      assert.equal(await status(bob.send(like(bob), { headers: { 'content-type': type } })), 202)
    }
    assert.equal(await status(bob.send(like(bob), { headers: { 'content-type': 'text/html' } })), 415)
  })

  test('kinds of activities that are not known, without a trace', async () => {
    const before = await countRows()
    for (const type of ['EmojiReact', 'Move', 'Flag', 'Add', 'Remove', 'QuoteRequest', 'Frobnicate']) {
      assert.equal(await status(bob.send(bob.activity(type, `${origin}/x`))), 202)
    }
    assert.deepEqual(await countRows(), before)
  })

  test('an activity without an id, once for what it says', async () => {
    const activity = { type: 'Follow', actor: bob.id, object: uriOf(await world.createPerson()) }
    const before = await countRows()
    for (let n = 0; n < 3; n += 1) assert.equal(await status(bob.send(activity)), 202)
    assert.equal((await countRows())['received_activities'], before['received_activities']! + 1)
  })

  test('and the body is gone once it was understood', async () => {
    await bob.send(follow(bob))
    await world.settle()
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from received_activities where body is not null or handled_at is null`.execute(db)
    assert.equal(rows[0]!.n, 0)
  })

  test('nobody has an inbox who is not here, or not confirmed yet', async () => {
    const hidden = await world.createPerson({ confirmed: false })
    for (const path of ['/ap/users/999999/inbox', '/ap/users/x/inbox', '/users/nobody/inbox', '/users/%00/inbox']) {
      assert.equal(await refuse(bob, like(bob), { to: origin + path }), 404)
    }
    assert.equal(await refuse(bob, like(bob), { to: `${uriOf(hidden)}/inbox` }), 404)
  })

  test('a host that is heard is there again, and gets what waited for it', async () => {
    await sql`
      insert into hosts (domain, unavailable_since, failing_days) values ('remote.test', now(), '{2026-01-01}')
      on conflict (domain) do update set unavailable_since = now(), failing_days = '{2026-01-01}'`.execute(db)
    await bob.send(like(bob))
    const { rows } = await sql<Record<string, unknown>>`
      select unavailable_since, failing_days, last_heard_at is not null as heard from hosts
      where domain = 'remote.test'`.execute(db)
    assert.deepEqual(rows, [{ unavailable_since: null, failing_days: [], heard: true }])
  })
})

suite('who may say it', () => {
  test('IN1 nobody without a signature over the body', async () => {
    assert.equal(await refuse(bob, follow(bob), { as: 'unsigned' }), 401)
    for (const as of ['cavage', 'rfc9421'] as const) {
      const swap = (call: { body: Buffer | null }) => void (call.body = Buffer.from(JSON.stringify(like(bob))))
      assert.equal(await refuse(bob, follow(bob), { as, tamper: swap }), 401)
      const digest = as === 'cavage' ? 'digest' : 'content-digest'
      const drop = ({ headers }: { headers: Record<string, string> }) => void delete headers[digest]
      assert.equal(await refuse(bob, follow(bob), { as, tamper: drop }), 401)
      const elsewhere = (call: { url: string }) => void (call.url = `${origin}/actor/inbox`)
      assert.equal(await refuse(bob, follow(bob), { as, tamper: elsewhere }), 401)
    }
  })

  test('IN2 nobody for somebody else, whether of another server or of the same', async () => {
    const signer = { keyId: mallory.keyId, privateKey: mallory.keys.privateKey }
    assert.equal(await refuse(bob, follow(bob), { signer }), 401)
    await mallory.send(like(mallory))
    assert.equal(await refuse(bob, follow(bob), { signer }), 401)
    const neighbour = await remote.createActor('neighbour')
    assert.equal(await refuse(bob, follow(bob), { signer: { ...signer, keyId: neighbour.keyId } }), 401)
    await neighbour.send(like(neighbour))
    const neighbours = { keyId: neighbour.keyId, privateKey: neighbour.keys.privateKey }
    assert.equal(await refuse(bob, follow(bob), { signer: neighbours }), 401)
  })

  test('IN3 no key on another host that says whose it is', async () => {
    const target = await stranger()
    const { publicKeyPem } = mallory.keys
    const keyId = `${other.origin}/keys/1`
    other.serve({ id: keyId, type: 'Key', owner: target.id, publicKeyPem })
    const signer = { keyId, privateKey: mallory.keys.privateKey }
    assert.equal(await refuse(target, follow(target), { signer }), 401)
    other.serve({ ...target.document, id: keyId, publicKey: { id: keyId, owner: target.id, publicKeyPem } })
    assert.equal(await refuse(target, follow(target), { signer: { ...signer, keyId: `${keyId}?2` } }), 401)
  })

  test('IN3 no key of the same host that the actor does not list', async () => {
    const target = await stranger()
    const { publicKeyPem } = mallory.keys
    const keyId = `${remote.origin}/uploads/1`
    remote.serve({ id: keyId, type: 'Key', owner: target.id, publicKeyPem })
    assert.equal(await refuse(target, follow(target), { signer: { keyId, privateKey: mallory.keys.privateKey } }), 401)
  })

  test('a key in a document of its own, which the actor names', async () => {
    const actor = await stranger()
    const keyId = `${actor.id}/main-key`
    remote.serve({ id: keyId, type: 'Key', owner: actor.id, publicKeyPem: actor.keys.publicKeyPem })
    actor.document['publicKey'] = keyId
    assert.equal(await status(actor.send(like(actor), { signer: { keyId, privateKey: actor.keys.privateKey } })), 202)
  })

  test('IN4 no key that lies in somebody else’s document, and never two actors', async () => {
    const target = await stranger()
    const liar = await stranger(other)
    liar.document['publicKey'].owner = target.id
    liar.document['publicKey'].id = target.keyId
    const signer = { keyId: liar.keyId, privateKey: liar.keys.privateKey }
    assert.equal(await refuse(liar, { ...follow(target), id: `${other.origin}/1` }, { signer }), 401)
    for (const actor of [[mallory.id, bob.id], [bob.id, mallory.id], [bob.id, bob.id], [], null, { name: 'bob' }]) {
      assert.equal(await refuse(bob, { ...follow(bob), actor }), 400)
    }
  })

  test('IN5 an activity has its id on its actor’s host; the true one still counts later', async () => {
    const person = await world.createPerson()
    const activity = follow(mallory, person)
    assert.equal(await refuse(bob, { ...follow(bob, person), id: activity['id'] }), 401)
    assert.equal(await status(mallory.send(activity)), 202)
    await world.settle()
    assert.deepEqual(await followers(person), [mallory.handle])
  })

  test('a key of our own proves nothing from outside', async () => {
    const signer = { keyId: `${origin}/actor#main-key`, privateKey: mallory.keys.privateKey }
    assert.equal(await refuse(bob, follow(bob), { signer }), 401)
  })
})

suite('once', () => {
  test('IN6 the same at another inbox, hours later, or after it was taken back, has no second effect', async () => {
    const person = await world.createPerson()
    const activity = follow(bob, person)
    const paths = [`${uriOf(person)}/inbox`, `${origin}/inbox`, `${origin}/users/${person.username}/inbox`]
    await bob.send(activity)
    await world.settle()
    await bob.send(bob.activity('Undo', activity))
    await world.settle()
    for (const to of paths) assert.equal(await status(bob.send(activity, { to })), 202)
    await world.settle()
    assert.deepEqual(await followers(person), [])
    const later = new Date(Date.now() + 2 * 3_600_000)
    clock = () => later
    assert.equal(await status(bob.send(activity, { now: later })), 202)
    await world.settle()
    clock = () => new Date()
    assert.deepEqual(await followers(person), [])
  })

  test('FP5 the same 50 times at once, at the shared inbox and one’s own, is one', async () => {
    const person = await world.createPerson()
    const note = bob.note({ cc: [uriOf(person)], tag: [{ type: 'Mention', href: uriOf(person) }] })
    const activities = [follow(bob, person), bob.activity('Create', note)]
    await bob.send(like(bob))
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_one, n) =>
        status(bob.send(activities[n % 2]!, n % 4 < 2 ? {} : { to: `${uriOf(person)}/inbox` })),
      ),
    )
    assert.deepEqual([...new Set(codes)], [202])
    await world.settle()
    const { body } = await person.client.get('/api/v1/notifications')
    assert.deepEqual(body.map(({ type }: { type: string }) => type).toSorted(), ['follow', 'mention'])
    assert.deepEqual(await followers(person), [bob.handle])
    const { rows } = await sql`select from received_activities where actor_uri = ${bob.id} and activity_id = any(${[
      activities[0]!['id'],
      activities[1]!['id'],
    ]})`.execute(db)
    assert.equal(rows.length, 2)
  })
})

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
    assert.equal(await status(actor.send(follow(actor))), 503)
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
    assert.equal(await status(actor.send(deletion, { signer: { keyId: `${actor.id}#newer`, privateKey } })), 202)
    await world.settle()
    assert.deepEqual(await followers(person), [])
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
      Array.from({ length: 40 }, () => status(actor.send(like(actor), { signer, now: later }))),
    )
    assert.deepEqual([...new Set(codes)], [401])
    assert.equal(remote.countRequests(path), asked + 1)
    assert.equal(await status(actor.send(like(actor), { now: later })), 202)
    clock = () => new Date()
  })

  test('a new key under the old id is found by itself', async () => {
    const actor = await remote.createActor('rotating')
    await actor.send(like(actor))
    await actor.rotateKey()
    assert.equal(await status(actor.send(like(actor))), 401)
    const later = new Date(Date.now() + 6 * 60_000)
    clock = () => later
    assert.equal(await status(actor.send(like(actor), { now: later })), 202)
    clock = () => new Date()
  })
})

suite('bodies that are meant to hurt', () => {
  const padding = 'x'.repeat(1024 * 1024)

  test('IN10 more than a megabyte is too much, told, in pieces or packed', async () => {
    const large = JSON.stringify({ ...like(bob), padding })
    assert.equal(await refuse(bob, large), 413)
    const packed = gzipSync(large)
    assert.ok(packed.length < 10_000)
    const headers = { 'content-encoding': 'gzip' }
    assert.equal(await refuse(bob, packed, { headers }), 413)
    assert.equal(await refuse(bob, gzipSync(packed), { headers: { 'content-encoding': 'gzip, gzip' } }), 415)
    assert.equal(await refuse(bob, JSON.stringify(like(bob)), { headers }), 400)
    const small = gzipSync(JSON.stringify(like(bob)))
    assert.equal(await status(bob.send(small, { headers })), 202)
    const via = await world.listen()
    assert.equal((await bob.send(large, { via, headers: { 'transfer-encoding': 'chunked' } })).status, 413)
    assert.equal((await bob.send(large, { via })).status, 413)
  })

  test('IN11 what is no document is refused, quickly', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { id } = like(bob)
    const bodies: (string | Buffer)[] = [
      deep,
      JSON.stringify({ ...like(bob) }).replace('"Like"', `"Like","deep":${deep}`),
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '',
      '{"type":"Like"',
      `\uFEFF${JSON.stringify(like(bob))}`,
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      `{"id":"${id}","type":"Like","actor":"${mallory.id}","actor":"${bob.id}","object":"x"}`,
      `{"id":"${id}","type":"Like","act\\u006fr":"${mallory.id}","actor":"${bob.id}","object":"x"}`,
    ]
    const longest = await measureStall(async () => {
      for (const body of bodies) assert.equal(await refuse(bob, body), 400, String(body).slice(0, 80))
      for (const body of bodies) assert.ok((await refuse(await stranger(), body)) < 402)
    })
    assert.ok(longest < 250, `${longest} ms`)
  })

  test('IN12 no context is fetched, and none changes what a name means', async () => {
    const person = await world.createPerson()
    const asked = other.requests.length
    const contexts = [
      'https://other.test/context',
      ['https://www.w3.org/ns/activitystreams', { actor: 'https://other.test/actor', object: '@graph' }],
      { '@import': 'https://other.test/context', '@base': 'https://other.test/' },
    ]
    for (const context of contexts) {
      await bob.send({ ...follow(bob, person), '@context': context })
      await world.settle()
      assert.deepEqual(await followers(person), [bob.handle])
    }
    for (const name of ['@graph', '@included', '@reverse']) {
      assert.equal(await refuse(bob, { ...follow(bob, person), [name]: [follow(mallory, person)] }), 400)
    }
    assert.equal(other.requests.length, asked)
  })

  test('IN21 the largest that is allowed does not hold anybody up', async () => {
    const to = Array.from({ length: 18_000 }, (_one, n) => `https://other.test/${n}`.padEnd(50, 'x'))
    const note = bob.note({ to: ['https://www.w3.org/ns/activitystreams#Public', ...to] })
    const body = JSON.stringify(bob.activity('Create', note))
    assert.ok(body.length > 900_000 && body.length < 1024 * 1024)
    const longest = await measureStall(async () => {
      assert.equal(await status(bob.send(body)), 202)
      await world.settle()
    })
    assert.ok(longest < 250, `${longest} ms`)
  })
})

suite('who is shut out', () => {
  test('IN24 nothing is asked of a blocked server, and nothing taken, also of those below it', async () => {
    await sql`insert into domain_blocks (domain, severity) values ('blocked.test', 'suspend')`.execute(db)
    for (const name of ['blocked.test', 'sub.blocked.test']) {
      const host = peer.host(name)
      const eve = await host.createActor('eve', { keys: bob.keys })
      for (const type of ['Follow', 'Like', 'Delete', 'Undo']) {
        assert.equal(await refuse(eve, eve.activity(type, uriOf(alice))), 403)
      }
      assert.equal(host.requests.length, 0)
    }
  })

  test('IN24 VI15 however the name of a blocked server is written', async () => {
    const eve = await peer.host('blocked.test').createActor('eve', { keys: bob.keys })
    for (const host of ['BLOCKED.test', 'blocked.test.', 'blocked.test:443', 'sub.Blocked.TEST']) {
      const keyId = `https://${host}/users/eve#main-key`
      const activity = { ...follow(eve), actor: `https://${host}/users/eve`, id: `https://${host}/1` }
      assert.equal(await refuse(eve, activity, { signer: { keyId, privateKey: eve.keys.privateKey } }), 403, host)
    }
    assert.equal(peer.host('blocked.test').requests.length, 0)
  })

  test('IN24 what a blocked server took back is taken back, if its key is known', async () => {
    const person = await world.createPerson()
    const host = peer.host('silent.test')
    const eve = await host.createActor('eve', { keys: bob.keys })
    const activity = follow(eve, person)
    await eve.send(activity)
    await world.settle()
    assert.deepEqual(await followers(person), [eve.handle])
    await sql`insert into domain_blocks (domain, severity) values ('silent.test', 'suspend')`.execute(db)
    const asked = host.requests.length
    assert.equal(await refuse(eve, like(eve)), 403)
    assert.equal(await status(eve.send(eve.activity('Undo', activity))), 202)
    await world.settle()
    assert.deepEqual(await followers(person), [])
    assert.equal(host.requests.length, asked)
  })

  test('IN24 of somebody who is suspended nothing is heard but what they take back', async () => {
    const person = await world.createPerson()
    const actor = await stranger()
    const activity = follow(actor, person)
    await actor.send(activity)
    await world.settle()
    await sql`update accounts set suspended_at = now() where uri = ${actor.id}`.execute(db)
    const note = actor.note({ cc: [uriOf(person)] })
    const update = actor.activity('Update', { ...actor.document, name: 'Changed' })
    for (const one of [like(actor), actor.activity('Create', note), update]) assert.equal(await refuse(actor, one), 202)
    await actor.send(actor.activity('Undo', activity))
    await world.settle()
    const { rows } = await sql`select from follows where target_account_id = ${person.accountId}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('whom their own server suspended comes back by an update of that server', async () => {
    const actor = await stranger()
    await actor.send(follow(actor))
    await world.settle()
    await actor.send(actor.activity('Update', { ...actor.document, suspended: true }))
    await world.settle()
    const isSuspended = async () =>
      (
        await sql<{ is: boolean }>`select suspended_at is not null as is from accounts where uri = ${actor.id}`.execute(
          db,
        )
      ).rows[0]!.is
    assert.equal(await isSuspended(), true)
    assert.equal(await refuse(actor, follow(actor, await world.createPerson())), 202)
    await actor.send(actor.activity('Update', actor.document))
    await world.settle()
    assert.equal(await isSuspended(), false)
  })

  test('deletions and updates of people who were never heard of cost nothing', async () => {
    const actor = await stranger()
    const asked = remote.requests.length
    for (const type of ['Delete', 'Update']) {
      for (const object of [actor.id, { ...actor.document }]) {
        assert.equal(await refuse(actor, actor.activity(type, object)), 202)
      }
    }
    assert.equal(remote.requests.length, asked)
  })
})
