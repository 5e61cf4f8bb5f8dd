import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { captureQueries } from '../../../../test/performance/count-queries.ts'

let clock = () => new Date()
const fediverse = await openFediverse({
  env: { DB_POOL: '10' },
  hosts: ['remote.test', 'other.test'],
  now: () => clock(),
})
const { testServer, peer, origin, uriOf, countRows, waitForAnswer, expectRejected } = fediverse
after(fediverse.close)

const { db } = testServer.ctx
const bob = await peer.host('remote.test').createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, user = alice) => actor.activity('Follow', uriOf(user))
const followers = async (user = alice) =>
  (await user.client.get(`/api/v1/accounts/${user.accountId}/followers`)).body.map((one: { acct: string }) => one.acct)

suite('the inbox', () => {
  test('accepts both signature schemes at every URL, with an empty response', async () => {
    for (const as of ['cavage', 'rfc9421'] as const) {
      for (const path of ['/inbox', '/actor/inbox', `/ap/users/${alice.accountId}/inbox`, '/users/Alice/inbox']) {
        assert.equal(await waitForAnswer(bob.send(like(bob), { as, to: origin + path })), 202)
      }
    }
  })

  test('accepts every content type of ActivityPub', async () => {
    for (const type of ['application/activity+json', 'application/json', 'application/ld+json; profile="x"']) {
      assert.equal(await waitForAnswer(bob.send(like(bob), { headers: { 'content-type': type } })), 202)
    }
    assert.equal(await waitForAnswer(bob.send(like(bob), { headers: { 'content-type': 'text/html' } })), 415)
  })

  test('accepts activities of unknown types without storing them', async () => {
    const before = await countRows()
    for (const type of ['EmojiReact', 'Frobnicate']) {
      assert.equal(await waitForAnswer(bob.send(bob.activity(type, `${origin}/x`))), 202)
    }
    assert.deepEqual(await countRows(), before)
  })

  test('accepts activities without the context of Activity Streams without storing them', async () => {
    const { '@context': _, ...activity } = follow(bob)
    for (const context of [{}, { '@context': 'https://w3id.org/security/v1' }])
      assert.equal(await expectRejected(bob, { ...context, ...activity }), 202)
  })

  test('stores an activity without an id once per content', async () => {
    const { id: _, ...activity } = bob.activity('Accept', uriOf(await testServer.createUser()))
    const before = await countRows()
    for (let n = 0; n < 3; n += 1) assert.equal(await waitForAnswer(bob.send(activity)), 202)
    assert.equal((await countRows())['received_activities'], before['received_activities']! + 1)
  })

  test('deletes the body of an activity once it is processed', async () => {
    await bob.send(follow(bob))
    await testServer.waitForJobs()
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from received_activities where body is not null or processed_at is null`.execute(db)
    assert.equal(rows[0]!.n, 0)
  })

  test('does not exist for unknown and unconfirmed accounts', async () => {
    const hidden = await testServer.createUser({ confirmed: false })
    for (const path of ['/ap/users/999999/inbox', '/ap/users/x/inbox', '/users/nobody/inbox', '/users/%00/inbox']) {
      assert.equal(await expectRejected(bob, like(bob), { to: origin + path }), 404)
    }
    assert.equal(await expectRejected(bob, like(bob), { to: `${uriOf(hidden)}/inbox` }), 404)
  })

  test('marks an unavailable host as reachable', async () => {
    await sql`
      insert into hosts (domain, unreachable_since, failing_days) values ('remote.test', now(), '{2026-01-01}')
      on conflict (domain) do update set unreachable_since = now(), failing_days = '{2026-01-01}'`.execute(db)
    await bob.send(like(bob))
    const { rows } = await sql<Record<string, unknown>>`
      select unreachable_since, failing_days, last_seen_at is not null as was_seen from hosts
      where domain = 'remote.test'`.execute(db)
    assert.deepEqual(rows, [{ unreachable_since: null, failing_days: [], was_seen: true }])
  })

  test('marks a reachable host once in ten minutes', async () => {
    await bob.send(like(bob))
    // A delivery that has just ended releases its host with another statement.
    const countMarks = async (options?: { now: Date }) => {
      const texts = await captureQueries(async () => bob.send(like(bob), options))
      return texts.filter((text) => text.includes('update hosts set last_seen_at')).length
    }
    assert.equal(await countMarks(), 0)
    const later = new Date(Date.now() + 11 * 60_000)
    clock = () => later
    assert.equal(await countMarks({ now: later }), 1)
    clock = () => new Date()
    const { rows } = await sql<{ last_seen_at: Date }>`
      select last_seen_at from hosts where domain = 'remote.test'`.execute(db)
    assert.deepEqual(rows, [{ last_seen_at: later }])
  })
})

suite('a repeated activity', () => {
  test('IN6 has no second effect at another inbox, hours later, or after its Undo', async () => {
    const user = await testServer.createUser()
    const activity = follow(bob, user)
    const paths = [`${uriOf(user)}/inbox`, `${origin}/inbox`, `${origin}/users/${user.username}/inbox`]
    const now = new Date(Date.now() - 60_000)
    await bob.send(activity, { now })
    await testServer.waitForJobs()
    await bob.send(bob.activity('Undo', activity))
    await testServer.waitForJobs()
    for (const to of paths) assert.equal(await waitForAnswer(bob.send(activity, { to, now })), 202)
    await testServer.waitForJobs()
    assert.deepEqual(await followers(user), [])
    const later = new Date(Date.now() + 2 * 3_600_000)
    clock = () => later
    assert.equal(await waitForAnswer(bob.send(activity, { now })), 202)
    await testServer.waitForJobs()
    clock = () => new Date()
    assert.deepEqual(await followers(user), [])
  })

  test('FP5 is processed once if it is delivered 50 times concurrently, to shared and personal inboxes', async () => {
    const user = await testServer.createUser()
    const note = bob.note({ cc: [uriOf(user)], tag: [{ type: 'Mention', href: uriOf(user) }] })
    const activities = [follow(bob, user), bob.activity('Create', note)]
    await bob.send(like(bob))
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_one, n) =>
        waitForAnswer(bob.send(activities[n % 2]!, n % 4 < 2 ? {} : { to: `${uriOf(user)}/inbox` })),
      ),
    )
    assert.deepEqual([...new Set(codes)], [202])
    await testServer.waitForJobs()
    const { body } = await user.client.get('/api/v1/notifications')
    assert.deepEqual(body.map(({ type }: { type: string }) => type).toSorted(), ['follow', 'mention'])
    assert.deepEqual(await followers(user), [bob.handle])
    const { rows } = await sql`
      select from received_activities where actor_uri = ${bob.id} and activity_id = ${activities[1]!['id']}`.execute(db)
    assert.equal(rows.length, 1)
  })
})
