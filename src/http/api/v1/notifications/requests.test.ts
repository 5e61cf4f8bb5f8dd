import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openSocket, until } from '../../../../../test/streams.ts'
import { countQueries } from '../../../../../test/count-queries.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import type { Notification, NotificationRequest } from '../../../../entities/notification.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx
const address = await world.listen()

const V1 = '/api/v1/notifications'
const POLICY = '/api/v2/notifications/policy'
const people = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => world.createPerson()))
const say = async (from: Person, to: Person, body: object = {}): Promise<string> =>
  (await from.client.post('/api/v1/statuses', { status: `@${to.username} hi`, ...body })).body.id
const follow = (from: Person, to: Person) => from.client.post(`/api/v1/accounts/${to.accountId}/follow`)
async function seen(person: Person, query = ''): Promise<Notification[]> {
  await world.settle()
  return (await person.client.get(`${V1}?${query}`)).body
}
async function requests(person: Person): Promise<NotificationRequest[]> {
  await world.settle()
  const { body } = await person.client.get(`${V1}/requests`)
  for (const one of body) assertOnWire('NotificationRequest', one)
  return body
}

test('a policy is read and changed in both its forms, and refuses what it does not know', async () => {
  const [alice] = (await people(1)) as [Person]
  const summary = { pending_requests_count: 0, pending_notifications_count: 0 }
  const first = {
    for_not_following: 'accept',
    for_not_followers: 'accept',
    for_new_accounts: 'accept',
    for_private_mentions: 'filter',
    for_limited_accounts: 'filter',
    for_bots: 'accept',
    summary,
  }
  const read = await alice.client.get(POLICY)
  assertOnWire('NotificationPolicy', read.body)
  assert.deepEqual(read.body, first)
  const changed = await alice.client.patch(POLICY, { for_bots: 'drop', for_private_mentions: 'accept' })
  assert.deepEqual(changed.body, { ...first, for_bots: 'drop', for_private_mentions: 'accept' })
  assert.deepEqual((await alice.client.put(POLICY, { for_new_accounts: 'filter' })).body.for_bots, 'drop')
  assert.equal((await alice.client.patch(POLICY, { for_bots: 'perhaps' })).status, 422)
  const old = await alice.client.get(`${V1}/policy`)
  assertOnWire('V1NotificationPolicy', old.body)
  assert.deepEqual(old.body, {
    filter_not_following: false,
    filter_not_followers: false,
    filter_new_accounts: true,
    filter_private_mentions: false,
    filter_bots: true,
    summary,
  })
  const back = await alice.client.put(`${V1}/policy`, { filter_new_accounts: false, filter_not_following: true })
  assert.deepEqual([back.body.filter_new_accounts, back.body.filter_not_following], [false, true])
  assert.equal((await alice.client.get(POLICY)).body.for_not_following, 'filter')
})

test('what is held back is shown on request only, and asks once for each person to be let in', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await alice.client.patch(POLICY, { for_not_following: 'filter' })
  const mine = (await alice.client.post('/api/v1/statuses', { status: 'mine' })).body.id
  await bob.client.post(`/api/v1/statuses/${mine}/favourite`)
  assert.deepEqual(await requests(alice), [])
  await say(bob, alice)
  const last = await say(bob, alice)
  await follow(alice, carol)
  await say(carol, alice)
  assert.deepEqual(
    (await seen(alice)).map(({ type, account }) => [type, account.id]),
    [['mention', carol.accountId]],
  )
  const all = await seen(alice, 'include_filtered=true')
  assert.deepEqual(
    all.map(({ type, filtered }) => `${type} ${filtered}`).toSorted(),
    ['favourite true', 'mention true', 'mention true', 'mention undefined'].toSorted(),
  )
  const { notification_groups: groups } = (await alice.client.get('/api/v2/notifications')).body
  assert.equal(groups.length, 1)
  const [request, ...more] = await requests(alice)
  assert.equal(more.length, 0)
  assert.deepEqual(
    [request!.account.id, request!.notifications_count, request!.last_status!.id],
    [bob.accountId, '2', last],
  )
  assert.deepEqual((await alice.client.get(`${V1}/requests/${request!.id}`)).body, request)
  const { summary } = (await alice.client.get(POLICY)).body
  assert.deepEqual(summary, { pending_requests_count: 1, pending_notifications_count: 2 })
  for (const name of ['', '/accept', '/dismiss']) {
    const path = `${V1}/requests/${request!.id}${name}`
    assert.equal((await (name ? bob.client.post(path) : bob.client.get(path))).status, 404)
  }
})

test('whoever is let in is notified at once from then on, and what was held back comes to the rest', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  await alice.client.patch(POLICY, { for_not_following: 'filter' })
  for (const person of [bob, carol]) await say(person, alice)
  const held = await seen(alice, 'include_filtered=true')
  assert.deepEqual([held.map(({ filtered }) => filtered), await seen(alice)], [[true, true], []])
  const [first, second] = await requests(alice)
  const socket = await openSocket(address, { token: alice.token })
  await socket.subscribe('user:notification')
  assert.deepEqual((await alice.client.post(`${V1}/requests/${first!.id}/accept`)).body, {})
  const told = await until(() => socket.received.find(({ event }) => event === 'notifications_merged'))
  assert.deepEqual([told.stream, told.payload], [['user:notification'], '1'])
  socket.ws.close()
  assert.deepEqual((await alice.client.get(`${V1}/requests/merged`)).body, { merged: true })
  assert.deepEqual(
    (await seen(alice)).map(({ account, filtered }) => [account.id, filtered]),
    [[first!.account.id, undefined]],
  )
  assert.equal((await alice.client.post(`${V1}/requests/${first!.id}/accept`)).status, 404)
  const both = [bob, carol]
  await say(
    both.find(({ accountId }) => accountId === first!.account.id)!,
    alice,
  )
  assert.equal((await seen(alice)).length, 2)
  assert.deepEqual((await alice.client.post(`${V1}/requests/dismiss`, { id: [second!.id, 'x', '999999'] })).body, {})
  assert.deepEqual(await requests(alice), [])
  assert.equal((await seen(alice, 'include_filtered=true')).length, 2)
})

test('many are let in or turned away at once', async () => {
  const [alice, ...others] = (await people(4)) as [Person, ...Person[]]
  await alice.client.patch(POLICY, { for_not_following: 'filter' })
  for (const other of others) await say(other, alice)
  const ids = (await requests(alice)).map(({ id }) => id)
  await alice.client.post(`${V1}/requests/accept`, { id: ids.slice(0, 2) })
  await alice.client.post(`${V1}/requests/dismiss`, { id: ids.slice(2) })
  assert.deepEqual(await requests(alice), [])
  assert.equal((await seen(alice, 'include_filtered=true')).length, 2)
})

test('each category of a policy holds for whom it names, and lets by whom the viewer follows', async () => {
  type Step = (alice: Person, bob: Person) => Promise<unknown>
  const cases: [category: string, prepare: Step, release: Step][] = [
    ['for_not_following', async () => {}, follow],
    ['for_not_followers', async (alice, bob) => follow(bob, alice), async (alice, bob) => ageFollow(bob, alice)],
    ['for_new_accounts', async () => {}, follow],
    ['for_limited_accounts', async (_, bob) => limit(bob), follow],
    ['for_bots', async (_, bob) => bob.client.patch('/api/v1/accounts/update_credentials', { bot: true }), follow],
  ]
  for (const [category, prepare, release] of cases) {
    const [alice, bob] = (await people(2)) as [Person, Person]
    await alice.client.patch(POLICY, { for_limited_accounts: 'accept', [category]: 'filter' })
    await prepare(alice, bob)
    await say(bob, alice)
    assert.deepEqual([category, (await seen(alice, 'types[]=mention')).length], [category, 0])
    assert.deepEqual([category, (await requests(alice)).length], [category, 1])
    await alice.client.patch(POLICY, { [category]: 'drop' })
    await say(bob, alice)
    await world.settle()
    assert.equal((await requests(alice))[0]!.notifications_count, '1')
    await release(alice, bob)
    await say(bob, alice)
    assert.deepEqual([category, (await seen(alice, 'types[]=mention')).length], [category, 1])
  }
})

test('a private mention out of the blue is held back, and an answer to one is not', async () => {
  const [alice, bob] = (await people(2)) as [Person, Person]
  await say(bob, alice, { visibility: 'direct' })
  assert.deepEqual(await seen(alice), [])
  const asked = await say(alice, bob, { visibility: 'direct' })
  const answer = await say(bob, alice, { visibility: 'direct', in_reply_to_id: asked })
  // Notifications come in the order in which jobs are done.
  await world.settle()
  const again = await say(bob, alice, { visibility: 'direct', in_reply_to_id: answer })
  assert.deepEqual(
    (await seen(alice)).map(({ status }) => status!.id),
    [again, answer],
  )
})

test('a request is not there once what was held back is gone', async () => {
  const [alice, bob] = (await people(2)) as [Person, Person]
  const said = await say(bob, alice, { visibility: 'direct' })
  const [request] = await requests(alice)
  await bob.client.delete(`/api/v1/statuses/${said}`)
  assert.deepEqual(await requests(alice), [])
  assert.equal((await alice.client.get(`${V1}/requests/${request!.id}`)).status, 404)
})

test('a page of requests costs the same number of queries however long it is', async () => {
  const [alice, ...others] = (await people(5)) as [Person, ...Person[]]
  for (const other of others) await say(other, alice, { visibility: 'direct' })
  await world.settle()
  // The first use of a token is noted, and the second one finds that.
  for (let n = 0; n < 2; n += 1) await requests(alice)
  const short = await countQueries(() => alice.client.get(`${V1}/requests?limit=1`))
  const long = await countQueries(() => alice.client.get(`${V1}/requests?limit=4`))
  assert.equal(long, short)
})

const ageFollow = (from: Person, to: Person) =>
  sql`update follows set created_at = now() - interval '4 days' where account_id = ${from.accountId}
    and target_account_id = ${to.accountId}`.execute(db)
const limit = (person: Person) =>
  sql`update accounts set silenced_at = now() where id = ${person.accountId}`.execute(db)
