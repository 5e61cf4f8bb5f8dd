import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'

let clock = () => new Date()
const fediverse = await openFediverse({
  env: { DB_POOL: '10' },
  hosts: ['remote.test', 'other.test'],
  now: () => clock(),
})
const { world, peer, origin, uriOf, countRows, answerTo, refuse } = fediverse
after(fediverse.close)

const { db } = world.ctx
const bob = await peer.host('remote.test').createActor('bob')
const alice = await world.createPerson({ username: 'alice' })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, person = alice) => actor.activity('Follow', uriOf(person))
const followers = async (person = alice) =>
  (await person.client.get(`/api/v1/accounts/${person.accountId}/followers`)).body.map(
    (one: { acct: string }) => one.acct,
  )

suite('what is taken', () => {
  test('by either kind of signature, at every inbox, with an empty answer', async () => {
    for (const as of ['cavage', 'rfc9421'] as const) {
      for (const path of ['/inbox', '/actor/inbox', `/ap/users/${alice.accountId}/inbox`, '/users/Alice/inbox']) {
        assert.equal(await answerTo(bob.send(like(bob), { as, to: origin + path })), 202)
      }
    }
  })

  test('under each name of its type', async () => {
    for (const type of ['application/activity+json', 'application/json', 'application/ld+json; profile="x"']) {
      assert.equal(await answerTo(bob.send(like(bob), { headers: { 'content-type': type } })), 202)
    }
    assert.equal(await answerTo(bob.send(like(bob), { headers: { 'content-type': 'text/html' } })), 415)
  })

  test('kinds of activities that mean nothing here, without a trace', async () => {
    const before = await countRows()
    for (const type of ['EmojiReact', 'Frobnicate']) {
      assert.equal(await answerTo(bob.send(bob.activity(type, `${origin}/x`))), 202)
    }
    assert.deepEqual(await countRows(), before)
  })

  test('an activity without an id, once for what it says', async () => {
    const activity = { type: 'Accept', actor: bob.id, object: uriOf(await world.createPerson()) }
    const before = await countRows()
    for (let n = 0; n < 3; n += 1) assert.equal(await answerTo(bob.send(activity)), 202)
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

suite('once', () => {
  test('IN6 the same at another inbox, hours later, or after it was taken back, has no second effect', async () => {
    const person = await world.createPerson()
    const activity = follow(bob, person)
    const paths = [`${uriOf(person)}/inbox`, `${origin}/inbox`, `${origin}/users/${person.username}/inbox`]
    const now = new Date(Date.now() - 60_000)
    await bob.send(activity, { now })
    await world.settle()
    await bob.send(bob.activity('Undo', activity))
    await world.settle()
    for (const to of paths) assert.equal(await answerTo(bob.send(activity, { to, now })), 202)
    await world.settle()
    assert.deepEqual(await followers(person), [])
    const later = new Date(Date.now() + 2 * 3_600_000)
    clock = () => later
    assert.equal(await answerTo(bob.send(activity, { now })), 202)
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
        answerTo(bob.send(activities[n % 2]!, n % 4 < 2 ? {} : { to: `${uriOf(person)}/inbox` })),
      ),
    )
    assert.deepEqual([...new Set(codes)], [202])
    await world.settle()
    const { body } = await person.client.get('/api/v1/notifications')
    assert.deepEqual(body.map(({ type }: { type: string }) => type).toSorted(), ['follow', 'mention'])
    assert.deepEqual(await followers(person), [bob.handle])
    const { rows } = await sql`
      select from received_activities where actor_uri = ${bob.id} and activity_id = ${activities[1]!['id']}`.execute(db)
    assert.equal(rows.length, 1)
  })
})
