import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { limit, suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Relationship } from '../../../entities/accounts/relationship.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)
const { db } = testServer.ctx

const path = (user: Pick<TestUser, 'accountId'>, action: string) => `/api/v1/accounts/${user.accountId}/${action}`
const follow = (from: TestUser, to: TestUser, body: object = {}) => from.client.post(path(to, 'follow'), body)

async function relationship(from: TestUser, to: TestUser) {
  const { body } = await from.client.get('/api/v1/accounts/relationships', { id: [to.accountId] })
  return body[0]
}

async function counters(user: TestUser): Promise<[followers: number, following: number]> {
  const { body } = await user.client.get(`/api/v1/accounts/${user.accountId}`)
  return [body.followers_count, body.following_count]
}

async function notificationKinds(user: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get('/api/v1/notifications')
  return body.map((one: { type: string; account: { id: string } }) => `${one.type} ${one.account.id}`)
}

/** Creates a remote account as the inbox would. */
async function createRemote(username: string, { locked = false } = {}): Promise<{ accountId: string }> {
  const { rows } = await sql<{ id: string }>`
    with created as (
      insert into accounts (username, domain, uri, url, locked)
      values (${username}, 'remote.test', ${`https://remote.test/${username}`}, ${`https://remote.test/@${username}`}, ${locked})
      returning id
    ), stats as (insert into account_stats (account_id) select id from created)
    select id from created`.execute(db)
  return { accountId: rows[0]!.id }
}

test('a follow takes effect at once, updates both counters and notifies the account', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const response = await follow(alice, bob)
  assert.equal(response.status, 200)
  const { following, showing_reblogs, notifying, languages, requested } = response.body
  assert.deepEqual([following, showing_reblogs, notifying, languages, requested], [true, true, false, null, false])
  assert.deepEqual(await counters(alice), [0, 1])
  assert.deepEqual(await counters(bob), [1, 0])
  assert.deepEqual(await notificationKinds(bob), [`follow ${alice.accountId}`])
  assert.equal((await relationship(bob, alice)).followed_by, true)
})

test('following again only changes the given options, and notifies nobody', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await follow(alice, bob, { reblogs: false, notify: true, languages: ['de', 'en'] })
  const again = await follow(alice, bob)
  const optionsOf = ({ showing_reblogs, notifying, languages }: Relationship) => [showing_reblogs, notifying, languages]
  assert.deepEqual(optionsOf(again.body), [false, true, ['de', 'en']])
  assert.deepEqual(optionsOf((await follow(alice, bob, { reblogs: true })).body), [true, true, ['de', 'en']])
  assert.deepEqual(optionsOf((await follow(alice, bob, { notify: false, languages: [] })).body), [true, false, null])
  assert.deepEqual(await counters(bob), [1, 0])
  assert.equal((await notificationKinds(bob)).length, 1)
})

test('BI5 every spelling of a boolean is accepted, and null means the same as an absent parameter', async () => {
  const alice = await testServer.createUser()
  for (const [sent, expected] of [
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
    const { body, status } = await follow(alice, await testServer.createUser(), { reblogs: sent })
    assert.deepEqual([sent, status, body.showing_reblogs], [sent, 200, expected])
  }
  const bob = await testServer.createUser()
  await follow(alice, bob, { reblogs: false })
  assert.equal((await follow(alice, bob, { reblogs: null })).body.showing_reblogs, false)
  const form = await alice.client.post(path(await testServer.createUser(), 'follow'), 'reblogs=false&languages[]=fr', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  assert.deepEqual([form.body.showing_reblogs, form.body.languages], [false, ['fr']])
})

test('a follow of an unlocked remote account is shown as accepted although it is still a request', async () => {
  const [alice, open, locked] = [
    await testServer.createUser(),
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

test('a follow by a limited account always becomes a follow request', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await limit(testServer.ctx, alice)
  const { body } = await follow(alice, bob)
  assert.deepEqual([body.following, body.requested], [false, true])
})

test('following one’s own account, or a moved, suspended or unconfirmed account, is refused', async () => {
  const [alice, suspended, moved] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const self = await follow(alice, alice)
  assert.deepEqual([self.status, self.body.error], [403, 'Following your own account is not allowed'])
  await suspend(testServer.ctx, suspended)
  await sql`update accounts set moved_to_account_id = ${alice.accountId} where id = ${moved.accountId}`.execute(db)
  assert.equal((await follow(alice, suspended)).status, 404)
  assert.equal((await follow(alice, moved)).status, 403)
  assert.equal((await follow(alice, await testServer.createUser({ confirmed: false }))).status, 404)
  assert.equal((await alice.client.post('/api/v1/accounts/999999/follow')).status, 404)
  assert.equal((await follow(alice, await testServer.createUser(), { languages: ['klingonese'] })).status, 422)
  assert.equal((await testServer.anonymous.post(path(suspended, 'follow'))).status, 401)
})

test('an account can follow at most 7,500 accounts, unless it has nearly as many followers', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await sql`update account_stats set following_count = 7500 where account_id = ${alice.accountId}`.execute(db)
  const full = await follow(alice, bob)
  assert.deepEqual([full.status, full.body.error], [422, 'You cannot follow more than 7500 people'])
  await sql`update account_stats set followers_count = 7000 where account_id = ${alice.accountId}`.execute(db)
  assert.equal((await follow(alice, bob)).status, 200)
  await sql`update account_stats set following_count = 7700 where account_id = ${alice.accountId}`.execute(db)
  assert.equal((await follow(alice, carol)).body.error, 'You cannot follow more than 7700 people')
  // Changing the options of an existing follow creates no new one.
  assert.equal((await follow(alice, bob, { notify: true })).status, 200)
})

test('an unfollow deletes the notification, so a later follow is notified again', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await follow(alice, bob)
  assert.equal((await notificationKinds(bob)).length, 1)
  assert.equal((await alice.client.post(path(bob, 'unfollow'))).body.following, false)
  assert.equal((await alice.client.post(path(bob, 'unfollow'))).status, 200)
  assert.deepEqual([await notificationKinds(bob), await counters(bob), await counters(alice)], [[], [0, 0], [0, 0]])
  await follow(alice, bob)
  assert.equal((await notificationKinds(bob)).length, 1)
})

test('a follower can be removed', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
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

test('BI17 concurrent follows of one account by 50 users, in both directions, leave exact counters', async () => {
  const hub = await testServer.createUser()
  const users = await Promise.all(Array.from({ length: 50 }, () => testServer.createUser()))
  const responses = await Promise.all(
    users.flatMap((user, n) => [
      follow(user, hub),
      follow(hub, user),
      n % 3 === 0 ? user.client.post(path(hub, 'unfollow')) : follow(user, hub),
      follow(users[(n + 1) % 50]!, user),
    ]),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from account_stats st where
      st.followers_count <> (select count(*) from follows f where f.target_account_id = st.account_id)
      or st.following_count <> (select count(*) from follows f where f.account_id = st.account_id)`.execute(db)
  // Some tests above set counters directly.
  const { rows: setDirectly } = await sql<{ n: number }>`
    select count(*)::int as n from account_stats where following_count > 7000`.execute(db)
  assert.equal(rows[0]!.wrong, setDirectly[0]!.n)
  assert.equal((await counters(hub))[1], 50)
})

test('BI17 50 concurrent identical follow requests create one follow', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const responses = await Promise.all(Array.from({ length: 50 }, () => follow(alice, bob)))
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  assert.deepEqual(
    [await counters(alice), await counters(bob)],
    [
      [0, 1],
      [1, 0],
    ],
  )
  assert.equal((await notificationKinds(bob)).length, 1)
})

test('a follow adds the latest statuses of the account to the feed, and an unfollow removes them', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const { body: status } = await bob.client.post('/api/v1/statuses', { status: 'from before' })
  const feed = async () => {
    await testServer.waitForJobs()
    return (await alice.client.get('/api/v1/timelines/home')).body.map(({ id }: { id: string }) => id)
  }
  await follow(alice, bob)
  assert.deepEqual(await feed(), [status.id])
  await alice.client.post(path(bob, 'unfollow'))
  assert.deepEqual(await feed(), [])
})

test('other users can list followers and followed accounts unless the account hides them', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const fans = await Promise.all(Array.from({ length: 5 }, () => testServer.createUser()))
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
    assert.deepEqual((await testServer.anonymous.get(path(bob, list))).body, [])
    assert.equal((await bob.client.get(path(bob, list))).body.length, count)
  }
  assert.deepEqual(await counters(bob), [5, 1])
})
