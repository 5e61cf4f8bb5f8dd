// Slow: accepts a thousand requests.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { limit } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

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

test('a follow of a locked account becomes a request, whose options the follow has once it is accepted', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  const pending = await follow(alice, bob, { reblogs: false })
  assert.deepEqual([pending.body.following, pending.body.requested, pending.body.showing_reblogs], [false, true, false])
  assert.deepEqual(await counters(bob), [0, 0])
  assert.deepEqual(await notificationKinds(bob), [`follow_request ${alice.accountId}`])
  assert.equal((await follow(alice, bob, { notify: true })).body.notifying, true)
  assert.equal((await relationship(bob, alice)).requested_by, true)

  const list = await bob.client.get('/api/v1/follow_requests')
  assert.deepEqual(
    list.body.map(({ id }: { id: string }) => id),
    [alice.accountId],
  )
  const accepted = await bob.client.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)
  assert.deepEqual([accepted.status, accepted.body.followed_by, accepted.body.requested_by], [200, true, false])
  const { following, requested, showing_reblogs, notifying } = await relationship(alice, bob)
  assert.deepEqual([following, requested, showing_reblogs, notifying], [true, false, false, true])
  assert.deepEqual(await counters(bob), [1, 0])
  assert.deepEqual(await notificationKinds(bob), [`follow ${alice.accountId}`])
  assert.deepEqual(await notificationKinds(alice), [])
  assert.equal((await bob.client.get('/api/v1/follow_requests')).body.length, 0)
})

test('a request can be rejected or withdrawn, and can then be neither accepted nor rejected', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  await follow(alice, bob)
  await testServer.waitForJobs()
  assert.equal((await bob.client.post(`/api/v1/follow_requests/${alice.accountId}/reject`)).body.requested_by, false)
  assert.deepEqual([(await relationship(alice, bob)).requested, await notificationKinds(bob)], [false, []])
  assert.equal((await bob.client.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)).status, 404)
  assert.equal((await bob.client.post(`/api/v1/follow_requests/${alice.accountId}/reject`)).status, 404)
  await follow(alice, bob)
  assert.equal((await alice.client.post(path(bob, 'unfollow'))).body.requested, false)
  assert.deepEqual(await notificationKinds(bob), [])
})

test('unlocking an account accepts its follow requests with their options, except those of limited accounts', async () => {
  const bob = await testServer.createUser({ locked: true })
  const [alice, carol] = [await testServer.createUser(), await testServer.createUser()]
  await follow(alice, bob, { reblogs: false })
  await follow(carol, bob)
  // Bob is notified of the request before Carol is limited.
  await testServer.waitForJobs()
  await limit(testServer.ctx, carol)
  const { body } = await bob.client.patch('/api/v1/accounts/update_credentials', { locked: 'false' })
  assert.equal(body.locked, false)
  await testServer.waitForJobs()
  const accepted = await relationship(alice, bob)
  assert.deepEqual([accepted.following, accepted.showing_reblogs], [true, false])
  assert.equal((await relationship(carol, bob)).requested, true)
  assert.deepEqual(await counters(bob), [1, 0])
  assert.deepEqual(await notificationKinds(bob), [`follow ${alice.accountId}`, `follow_request ${carol.accountId}`])
})

test('FP3 unlocking with 1,000 requests loses and doubles none while others are withdrawn, accepted and created', async () => {
  const bob = await testServer.createUser({ locked: true })
  await sql`
    with created as (
      insert into accounts (username, domain, uri, url)
      select 'fan' || n, 'fans.test', 'https://fans.test/' || n, 'https://fans.test/@' || n from generate_series(1, 990) n
      returning id
    ), stats as (insert into account_stats (account_id) select id from created)
    insert into follow_requests (account_id, target_account_id) select id, ${bob.accountId} from created`.execute(db)
  const users = await Promise.all(Array.from({ length: 20 }, () => testServer.createUser()))
  const early = users.slice(0, 10)
  for (const user of early) assert.equal((await follow(user, bob)).body.requested, true)
  const responses = await Promise.all([
    bob.client.patch('/api/v1/accounts/update_credentials', { locked: false }),
    ...early.slice(0, 5).map((user) => user.client.post(path(bob, 'unfollow'))),
    ...early.slice(5).map((user) => bob.client.post(`/api/v1/follow_requests/${user.accountId}/authorize`)),
    ...users.slice(10).map((user) => follow(user, bob)),
  ])
  assert.ok(responses.every(({ status }) => status === 200 || status === 404))
  await testServer.waitForJobs()
  const { rows } = await sql<{ pending: number; followers: number; counted: number; notified: number }>`
    select (select count(*)::int from follow_requests where target_account_id = ${bob.accountId}) as pending,
      (select count(*)::int from follows where target_account_id = ${bob.accountId}) as followers,
      (select followers_count from account_stats where account_id = ${bob.accountId}) as counted,
      (select count(*)::int from notifications where account_id = ${bob.accountId}) as notified`.execute(db)
  assert.deepEqual(rows[0], { pending: 0, followers: 1_005, counted: 1_005, notified: 1_005 })
})

test('FP3 a request that is accepted ten times concurrently becomes one follow', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  await follow(alice, bob)
  const accept = () => bob.client.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)
  const responses = await Promise.all(Array.from({ length: 10 }, accept))
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 404)])
  assert.deepEqual(await counters(bob), [1, 0])
})
