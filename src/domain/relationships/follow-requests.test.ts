// Slow: grants a thousand requests.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

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

test('who is locked is asked first; the request keeps its terms, and its follow has them', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson({ locked: true })]
  const asked = await follow(alice, bob, { reblogs: false })
  assert.deepEqual([asked.body.following, asked.body.requested, asked.body.showing_reblogs], [false, true, false])
  assert.deepEqual(await counters(bob), [0, 0])
  assert.deepEqual(await kinds(bob), [`follow_request ${alice.accountId}`])
  assert.equal((await follow(alice, bob, { notify: true })).body.notifying, true)
  assert.equal((await relation(bob, alice)).requested_by, true)

  const list = await bob.client.get('/api/v1/follow_requests')
  assert.deepEqual(
    list.body.map(({ id }: { id: string }) => id),
    [alice.accountId],
  )
  const granted = await bob.client.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)
  assert.deepEqual([granted.status, granted.body.followed_by, granted.body.requested_by], [200, true, false])
  const { following, requested, showing_reblogs, notifying } = await relation(alice, bob)
  assert.deepEqual([following, requested, showing_reblogs, notifying], [true, false, false, true])
  assert.deepEqual(await counters(bob), [1, 0])
  assert.deepEqual(await kinds(bob), [`follow ${alice.accountId}`])
  assert.deepEqual(await kinds(alice), [])
  assert.equal((await bob.client.get('/api/v1/follow_requests')).body.length, 0)
})

test('a request can be turned down, and taken back; then it can be neither granted nor found', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson({ locked: true })]
  await follow(alice, bob)
  await world.settle()
  assert.equal((await bob.client.post(`/api/v1/follow_requests/${alice.accountId}/reject`)).body.requested_by, false)
  assert.deepEqual([(await relation(alice, bob)).requested, await kinds(bob)], [false, []])
  assert.equal((await bob.client.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)).status, 404)
  assert.equal((await bob.client.post(`/api/v1/follow_requests/${alice.accountId}/reject`)).status, 404)
  await follow(alice, bob)
  assert.equal((await alice.client.post(path(bob, 'unfollow'))).body.requested, false)
  assert.deepEqual(await kinds(bob), [])
})

test('unlocking grants what was asked, on its terms, except to those who are silenced', async () => {
  const bob = await world.createPerson({ locked: true })
  const [alice, carol] = [await world.createPerson(), await world.createPerson()]
  await follow(alice, bob, { reblogs: false })
  await follow(carol, bob)
  // Bob is told while she is in good standing still.
  await world.settle()
  await sql`update accounts set silenced_at = now() where id = ${carol.accountId}`.execute(db)
  const { body } = await bob.client.patch('/api/v1/accounts/update_credentials', { locked: 'false' })
  assert.equal(body.locked, false)
  await world.settle()
  const granted = await relation(alice, bob)
  assert.deepEqual([granted.following, granted.showing_reblogs], [true, false])
  assert.equal((await relation(carol, bob)).requested, true)
  assert.deepEqual(await counters(bob), [1, 0])
  assert.deepEqual(await kinds(bob), [`follow ${alice.accountId}`, `follow_request ${carol.accountId}`])
})

test('FP3 unlocking with 1,000 requests, while some are taken back, granted and made, loses and doubles none', async () => {
  const bob = await world.createPerson({ locked: true })
  await sql`
    with made as (
      insert into accounts (username, domain, uri, url)
      select 'fan' || n, 'fans.test', 'https://fans.test/' || n, 'https://fans.test/@' || n from generate_series(1, 990) n
      returning id
    ), stats as (insert into account_stats (account_id) select id from made)
    insert into follow_requests (account_id, target_account_id) select id, ${bob.accountId} from made`.execute(db)
  const people = await Promise.all(Array.from({ length: 20 }, () => world.createPerson()))
  const early = people.slice(0, 10)
  for (const person of early) assert.equal((await follow(person, bob)).body.requested, true)
  const answers = await Promise.all([
    bob.client.patch('/api/v1/accounts/update_credentials', { locked: false }),
    ...early.slice(0, 5).map((person) => person.client.post(path(bob, 'unfollow'))),
    ...early.slice(5).map((person) => bob.client.post(`/api/v1/follow_requests/${person.accountId}/authorize`)),
    ...people.slice(10).map((person) => follow(person, bob)),
  ])
  assert.ok(answers.every(({ status }) => status === 200 || status === 404))
  await world.settle()
  const { rows } = await sql<{ waiting: number; followers: number; counted: number; notified: number }>`
    select (select count(*)::int from follow_requests where target_account_id = ${bob.accountId}) as waiting,
      (select count(*)::int from follows where target_account_id = ${bob.accountId}) as followers,
      (select followers_count from account_stats where account_id = ${bob.accountId}) as counted,
      (select count(*)::int from notifications where account_id = ${bob.accountId}) as notified`.execute(db)
  assert.deepEqual(rows[0], { waiting: 0, followers: 1_005, counted: 1_005, notified: 1_005 })
})

test('FP3 a request that is granted ten times at once becomes one follow', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson({ locked: true })]
  await follow(alice, bob)
  const grant = () => bob.client.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)
  const answers = await Promise.all(Array.from({ length: 10 }, grant))
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 404)])
  assert.deepEqual(await counters(bob), [1, 0])
})
