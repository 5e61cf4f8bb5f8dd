import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Relationship } from '../../entities/relationship.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)
const { db } = world.ctx

const path = (person: Pick<Person, 'accountId'>, action: string) => `/api/v1/accounts/${person.accountId}/${action}`
const follow = (from: Person, to: Person, body: object = {}) => from.client.post(path(to, 'follow'), body)

async function relation(from: Person, to: Person) {
  const { body } = await from.client.get('/api/v1/accounts/relationships', { id: [to.accountId] })
  return body[0]
}

async function counters(person: Person): Promise<[followers: number, following: number]> {
  const { body } = await person.client.get(`/api/v1/accounts/${person.accountId}`)
  return [body.followers_count, body.following_count]
}

async function kinds(person: Person): Promise<string[]> {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications')
  return body.map((one: { type: string; account: { id: string } }) => `${one.type} ${one.account.id}`)
}

/** Somebody of another server, as a delivery would have written them. */
async function createRemote(username: string, { locked = false } = {}): Promise<{ accountId: string }> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into accounts (username, domain, uri, url, locked)
      values (${username}, 'remote.test', ${`https://remote.test/${username}`}, ${`https://remote.test/@${username}`}, ${locked})
      returning id
    ), stats as (insert into account_stats (account_id) select id from made)
    select id from made`.execute(db)
  return { accountId: rows[0]!.id }
}

test('following somebody is in place at once, counts on both sides, and tells them', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const answer = await follow(alice, bob)
  assert.equal(answer.status, 200)
  const { following, showing_reblogs, notifying, languages, requested } = answer.body
  assert.deepEqual([following, showing_reblogs, notifying, languages, requested], [true, true, false, null, false])
  assert.deepEqual(await counters(alice), [0, 1])
  assert.deepEqual(await counters(bob), [1, 0])
  assert.deepEqual(await kinds(bob), [`follow ${alice.accountId}`])
  assert.equal((await relation(bob, alice)).followed_by, true)
})

test('following again only changes what is said, and tells nobody', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await follow(alice, bob, { reblogs: false, notify: true, languages: ['de', 'en'] })
  const again = await follow(alice, bob)
  const shown = ({ showing_reblogs, notifying, languages }: Relationship) => [showing_reblogs, notifying, languages]
  assert.deepEqual(shown(again.body), [false, true, ['de', 'en']])
  assert.deepEqual(shown((await follow(alice, bob, { reblogs: true })).body), [true, true, ['de', 'en']])
  assert.deepEqual(shown((await follow(alice, bob, { notify: false, languages: [] })).body), [true, false, null])
  assert.deepEqual(await counters(bob), [1, 0])
  assert.equal((await kinds(bob)).length, 1)
})

test('BI5 every spelling of a boolean means the same, and null is as if it had not been sent', async () => {
  const alice = await world.createPerson()
  for (const [sent, shown] of [
    [false, false],
    ['false', false],
    ['0', false],
    [0, false],
    [true, true],
    ['1', true],
    [null, true],
    [[], true],
    [{}, true],
  ] as const) {
    const { body, status } = await follow(alice, await world.createPerson(), { reblogs: sent })
    assert.deepEqual([sent, status, body.showing_reblogs], [sent, 200, shown])
  }
  const bob = await world.createPerson()
  await follow(alice, bob, { reblogs: false })
  assert.equal((await follow(alice, bob, { reblogs: null })).body.showing_reblogs, false)
  const form = await alice.client.post(path(await world.createPerson(), 'follow'), 'reblogs=false&languages[]=fr', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.deepEqual([form.body.showing_reblogs, form.body.languages], [false, ['fr']])
})

test('a follower of another server is shown as followed until that server says otherwise', async () => {
  const [alice, open, locked] = [
    await world.createPerson(),
    await createRemote('open'),
    await createRemote('shy', { locked: true }),
  ]
  const assumed = await alice.client.post(path(open, 'follow'))
  assert.deepEqual([assumed.body.following, assumed.body.requested], [true, false])
  const again = await alice.client.post(`${path(open, 'follow')}?relationship_format=object`)
  assert.deepEqual(again.body.following, { reblogs: true, notify: false })
  const known = await alice.client.post(path(locked, 'follow'))
  assert.deepEqual([known.body.following, known.body.requested], [false, true])
  const { rows } = await sql`select from follows where account_id = ${alice.accountId}`.execute(db)
  assert.equal(rows.length, 0)
  assert.deepEqual(await counters(alice), [0, 0])
})

test('who is silenced has to ask everybody', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await sql`update accounts set silenced_at = now() where id = ${alice.accountId}`.execute(db)
  const { body } = await follow(alice, bob)
  assert.deepEqual([body.following, body.requested], [false, true])
})

test('oneself, who has moved, who is suspended, who is not confirmed: refused', async () => {
  const [alice, gone, moved] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const self = await follow(alice, alice)
  assert.deepEqual([self.status, self.body.error], [403, 'Following your own account is not allowed'])
  await sql`update accounts set suspended_at = now() where id = ${gone.accountId}`.execute(db)
  await sql`update accounts set moved_to_account_id = ${alice.accountId} where id = ${moved.accountId}`.execute(db)
  assert.equal((await follow(alice, gone)).status, 404)
  assert.equal((await follow(alice, moved)).status, 403)
  assert.equal((await follow(alice, await world.createPerson({ confirmed: false }))).status, 404)
  assert.equal((await alice.client.post('/api/v1/accounts/999999/follow')).status, 404)
  assert.equal((await follow(alice, await world.createPerson(), { languages: ['klingonese'] })).status, 422)
  assert.equal((await world.anonymous.post(path(gone, 'follow'))).status, 401)
})

test('nobody follows more than 7,500 people, unless they have nearly as many followers', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await sql`update account_stats set following_count = 7500 where account_id = ${alice.accountId}`.execute(db)
  const full = await follow(alice, bob)
  assert.deepEqual([full.status, full.body.error], [422, 'You cannot follow more than 7500 people'])
  await sql`update account_stats set followers_count = 7000 where account_id = ${alice.accountId}`.execute(db)
  assert.equal((await follow(alice, bob)).status, 200)
  await sql`update account_stats set following_count = 7700 where account_id = ${alice.accountId}`.execute(db)
  assert.equal((await follow(alice, carol)).body.error, 'You cannot follow more than 7700 people')
  // Changing the terms of a follow that is there makes no new one.
  assert.equal((await follow(alice, bob, { notify: true })).status, 200)
})

test('unfollowing takes the notification back, so a later follow is told again', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await follow(alice, bob)
  assert.equal((await kinds(bob)).length, 1)
  assert.equal((await alice.client.post(path(bob, 'unfollow'))).body.following, false)
  assert.equal((await alice.client.post(path(bob, 'unfollow'))).status, 200)
  assert.deepEqual([await kinds(bob), await counters(bob), await counters(alice)], [[], [0, 0], [0, 0]])
  await follow(alice, bob)
  assert.equal((await kinds(bob)).length, 1)
})

test('a follower can be removed', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await follow(alice, bob)
  await follow(bob, alice)
  const { body } = await bob.client.post(path(alice, 'remove_from_followers'))
  assert.deepEqual([body.followed_by, body.following], [false, true])
  assert.deepEqual(
    [await counters(alice), await counters(bob)],
    [
      [1, 0],
      [0, 1],
    ],
  )
})

test('BI17 50 people who follow one, and are followed back, at the same time leave exact counters', async () => {
  const hub = await world.createPerson()
  const people = await Promise.all(Array.from({ length: 50 }, () => world.createPerson()))
  const answers = await Promise.all(
    people.flatMap((person, n) => [
      follow(person, hub),
      follow(hub, person),
      n % 3 === 0 ? person.client.post(path(hub, 'unfollow')) : follow(person, hub),
      follow(people[(n + 1) % 50]!, person),
    ]),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from account_stats st where
      st.followers_count <> (select count(*) from follows f where f.target_account_id = st.account_id)
      or st.following_count <> (select count(*) from follows f where f.account_id = st.account_id)`.execute(db)
  // Some tests above set counters by hand.
  const { rows: byHand } = await sql<{ n: number }>`
    select count(*)::int as n from account_stats where following_count > 7000`.execute(db)
  assert.equal(rows[0]!.wrong, byHand[0]!.n)
  assert.equal((await counters(hub))[1], 50)
})

test('BI17 the same follow, 50 times at once, is one', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const answers = await Promise.all(Array.from({ length: 50 }, () => follow(alice, bob)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.deepEqual(
    [await counters(alice), await counters(bob)],
    [
      [0, 1],
      [1, 0],
    ],
  )
  assert.equal((await kinds(bob)).length, 1)
})

test('the latest posts of somebody newly followed come into the feed, and leave it with the follow', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const { body: status } = await bob.client.post('/api/v1/statuses', { status: 'from before' })
  const feed = async () => {
    await world.settle()
    return (await alice.client.get('/api/v1/timelines/home')).body.map(({ id }: { id: string }) => id)
  }
  await follow(alice, bob)
  assert.deepEqual(await feed(), [status.id])
  await alice.client.post(path(bob, 'unfollow'))
  assert.deepEqual(await feed(), [])
})

test('whom people follow, and who follows them, can be read by others unless they hide it', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const fans = await Promise.all(Array.from({ length: 5 }, () => world.createPerson()))
  for (const fan of fans) await follow(fan, bob)
  await follow(bob, fans[0]!)
  assert.equal((await alice.client.get(path(bob, 'followers'))).body.length, 5)
  assert.equal((await alice.client.get(path(fans[0]!, 'following'))).body[0].id, bob.accountId)
  await bob.client.patch('/api/v1/accounts/update_credentials', { hide_collections: true })
  for (const [list, count] of [
    ['followers', 5],
    ['following', 1],
  ] as const) {
    assert.deepEqual((await alice.client.get(path(bob, list))).body, [])
    assert.deepEqual((await world.anonymous.get(path(bob, list))).body, [])
    assert.equal((await bob.client.get(path(bob, list))).body.length, count)
  }
  assert.deepEqual(await counters(bob), [5, 1])
})
