import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openSocket, until } from '../../../../../test/streaming/streams.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../../test/federation/remote-records.ts'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { limit } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Notification, NotificationRequest } from '../../../../entities/notifications/notification.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const address = await testServer.listen()

const V1 = '/api/v1/notifications'
const POLICY = '/api/v2/notifications/policy'
const createUsers = (count: number): Promise<TestUser[]> =>
  Promise.all(Array.from({ length: count }, () => testServer.createUser()))
const mention = async (from: TestUser, to: TestUser, body: object = {}): Promise<string> =>
  (await from.client.post('/api/v1/statuses', { status: `@${to.username} hi`, ...body })).body.id
const follow = (from: TestUser, to: TestUser) => from.client.post(`/api/v1/accounts/${to.accountId}/follow`)
async function readNotifications(user: TestUser, query = ''): Promise<Notification[]> {
  await testServer.waitForJobs()
  return (await user.client.get(`${V1}?${query}`)).body
}
async function readRequests(user: TestUser): Promise<NotificationRequest[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get(`${V1}/requests`)
  for (const request of body) assertEntity('NotificationRequest', request)
  return body
}

test('both versions of the policy are readable and changeable; invalid values are rejected', async () => {
  const [alice] = (await createUsers(1)) as [TestUser]
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
  assertEntity('NotificationPolicy', read.body)
  assert.deepEqual(read.body, first)
  const changed = await alice.client.patch(POLICY, { for_bots: 'drop', for_private_mentions: 'accept' })
  assert.deepEqual(changed.body, { ...first, for_bots: 'drop', for_private_mentions: 'accept' })
  assert.deepEqual((await alice.client.put(POLICY, { for_new_accounts: 'filter' })).body.for_bots, 'drop')
  assert.equal((await alice.client.patch(POLICY, { for_bots: 'perhaps' })).status, 422)
  const v1Policy = await alice.client.get(`${V1}/policy`)
  assertEntity('V1NotificationPolicy', v1Policy.body)
  assert.deepEqual(v1Policy.body, {
    filter_not_following: false,
    filter_not_followers: false,
    filter_new_accounts: true,
    filter_private_mentions: false,
    filter_bots: true,
    summary,
  })
  const changedV1 = await alice.client.put(`${V1}/policy`, { filter_new_accounts: false, filter_not_following: true })
  assert.deepEqual([changedV1.body.filter_new_accounts, changedV1.body.filter_not_following], [false, true])
  assert.equal((await alice.client.get(POLICY)).body.for_not_following, 'filter')
})

test('filtered notifications are listed only on request, with one notification request per sender', async () => {
  const [alice, bob, carol] = (await createUsers(3)) as [TestUser, TestUser, TestUser]
  await alice.client.patch(POLICY, { for_not_following: 'filter' })
  const own = (await alice.client.post('/api/v1/statuses', { status: 'mine' })).body.id
  await bob.client.post(`/api/v1/statuses/${own}/favourite`)
  assert.deepEqual(await readRequests(alice), [])
  await mention(bob, alice)
  const last = await mention(bob, alice)
  await follow(alice, carol)
  await mention(carol, alice)
  assert.deepEqual(
    (await readNotifications(alice)).map(({ type, account }) => [type, account.id]),
    [['mention', carol.accountId]],
  )
  const all = await readNotifications(alice, 'include_filtered=true')
  assert.deepEqual(
    all.map(({ type, filtered }) => `${type} ${filtered}`).toSorted(),
    ['favourite true', 'mention true', 'mention true', 'mention undefined'].toSorted(),
  )
  const { notification_groups: groups } = (await alice.client.get('/api/v2/notifications')).body
  assert.equal(groups.length, 1)
  const [request, ...more] = await readRequests(alice)
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

test('a block of the sender or its domain revokes the acceptance of a request, also after an unblock', async () => {
  const [alice, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const remoteId = await createRemoteAccount(testServer.ctx, { handle: { username: 'far', domain: 'far.test' } })
  const mentionAll = async () => {
    await mention(bob, alice)
    await createRemoteStatus(testServer.ctx, { accountId: remoteId, mentionedIds: [alice.accountId] })
    const requests = await readRequests(alice)
    return { requestIds: requests.map(({ id }) => id), senders: requests.map(({ account }) => account.id).toSorted() }
  }
  await alice.client.patch(POLICY, { for_not_following: 'filter' })
  const { requestIds, senders } = await mentionAll()
  assert.deepEqual(senders, [bob.accountId, remoteId].toSorted())
  await alice.client.post(`${V1}/requests/accept`, { id: requestIds })
  assert.deepEqual((await mentionAll()).senders, [])
  for (const action of ['block', 'unblock']) await alice.client.post(`/api/v1/accounts/${bob.accountId}/${action}`)
  await alice.client.post('/api/v1/domain_blocks', { domain: 'far.test' })
  await alice.client.delete('/api/v1/domain_blocks', { domain: 'far.test' })
  assert.deepEqual((await mentionAll()).senders, senders)
})

test('accepting a request merges its notifications and stops filtering the sender', async () => {
  const [alice, bob, carol] = (await createUsers(3)) as [TestUser, TestUser, TestUser]
  await alice.client.patch(POLICY, { for_not_following: 'filter' })
  for (const sender of [bob, carol]) await mention(sender, alice)
  const filtered = await readNotifications(alice, 'include_filtered=true')
  assert.deepEqual(
    [filtered.map((notification) => notification.filtered), await readNotifications(alice)],
    [[true, true], []],
  )
  const [first, second] = await readRequests(alice)
  const socket = await openSocket(address, { token: alice.token })
  await socket.subscribe('user:notification')
  assert.deepEqual((await alice.client.post(`${V1}/requests/${first!.id}/accept`)).body, {})
  const event = await until(() => socket.received.find((message) => message.event === 'notifications_merged'))
  assert.deepEqual([event.stream, event.payload], [['user:notification'], '1'])
  socket.ws.close()
  assert.deepEqual((await alice.client.get(`${V1}/requests/merged`)).body, { merged: true })
  assert.deepEqual(
    (await readNotifications(alice)).map(({ account, filtered }) => [account.id, filtered]),
    [[first!.account.id, undefined]],
  )
  assert.equal((await alice.client.post(`${V1}/requests/${first!.id}/accept`)).status, 404)
  const both = [bob, carol]
  await mention(
    both.find(({ accountId }) => accountId === first!.account.id)!,
    alice,
  )
  assert.equal((await readNotifications(alice)).length, 2)
  assert.deepEqual((await alice.client.post(`${V1}/requests/dismiss`, { id: [second!.id, 'x', '999999'] })).body, {})
  assert.deepEqual(await readRequests(alice), [])
  assert.equal((await readNotifications(alice, 'include_filtered=true')).length, 2)
})

test('several requests are accepted or dismissed at once', async () => {
  const [alice, ...others] = (await createUsers(4)) as [TestUser, ...TestUser[]]
  await alice.client.patch(POLICY, { for_not_following: 'filter' })
  for (const other of others) await mention(other, alice)
  const ids = (await readRequests(alice)).map(({ id }) => id)
  await alice.client.post(`${V1}/requests/accept`, { id: ids.slice(0, 2) })
  await alice.client.post(`${V1}/requests/dismiss`, { id: ids.slice(2) })
  assert.deepEqual(await readRequests(alice), [])
  assert.equal((await readNotifications(alice, 'include_filtered=true')).length, 2)
})

test('one message on the streams announces that all requests which were accepted at once are merged', async () => {
  const [alice, ...others] = (await createUsers(5)) as [TestUser, ...TestUser[]]
  await alice.client.patch(POLICY, { for_not_following: 'filter' })
  const socket = await openSocket(address, { token: alice.token })
  await socket.subscribe('user:notification')
  const merged = () => socket.received.filter(({ event }) => event === 'notifications_merged').length
  for (const round of [1, 2, 3, 4, 5]) {
    for (const other of others) await mention(other, alice)
    const ids = (await readRequests(alice)).map(({ id }) => id)
    assert.deepEqual([round, ids.length], [round, others.length])
    await alice.client.post(`${V1}/requests/accept`, { id: ids })
    await testServer.waitForJobs()
    await until(() => merged() === round)
    // A block ends the acceptance.
    for (const { accountId } of others) {
      for (const action of ['block', 'unblock']) await alice.client.post(`/api/v1/accounts/${accountId}/${action}`)
    }
  }
  socket.ws.close()
})

test('each category of the policy filters its senders, but not accounts that the viewer follows', async () => {
  type Action = (alice: TestUser, bob: TestUser) => Promise<unknown>
  const cases: [category: string, prepare: Action, release: Action][] = [
    ['for_not_following', async () => {}, follow],
    ['for_not_followers', async (alice, bob) => follow(bob, alice), async (alice, bob) => ageFollow(bob, alice)],
    ['for_new_accounts', async () => {}, follow],
    ['for_limited_accounts', async (_, bob) => limit(testServer.ctx, bob), follow],
    ['for_bots', async (_, bob) => bob.client.patch('/api/v1/accounts/update_credentials', { bot: true }), follow],
  ]
  for (const [category, prepare, release] of cases) {
    const [alice, bob] = (await createUsers(2)) as [TestUser, TestUser]
    await alice.client.patch(POLICY, { for_limited_accounts: 'accept', [category]: 'filter' })
    await prepare(alice, bob)
    await mention(bob, alice)
    assert.deepEqual([category, (await readNotifications(alice, 'types[]=mention')).length], [category, 0])
    assert.deepEqual([category, (await readRequests(alice)).length], [category, 1])
    await alice.client.patch(POLICY, { [category]: 'drop' })
    await mention(bob, alice)
    await testServer.waitForJobs()
    assert.equal((await readRequests(alice))[0]!.notifications_count, '1')
    await release(alice, bob)
    await mention(bob, alice)
    assert.deepEqual([category, (await readNotifications(alice, 'types[]=mention')).length], [category, 1])
  }
})

test('an unsolicited private mention is filtered, a reply to a private mention is not', async () => {
  const [alice, bob] = (await createUsers(2)) as [TestUser, TestUser]
  await mention(bob, alice, { visibility: 'direct' })
  assert.deepEqual(await readNotifications(alice), [])
  const message = await mention(alice, bob, { visibility: 'direct' })
  const reply = await mention(bob, alice, { visibility: 'direct', in_reply_to_id: message })
  // Jobs create notifications in the order in which they run.
  await testServer.waitForJobs()
  const again = await mention(bob, alice, { visibility: 'direct', in_reply_to_id: reply })
  assert.deepEqual(
    (await readNotifications(alice)).map(({ status }) => status!.id),
    [again, reply],
  )
})

test('a request disappears with its last filtered notification', async () => {
  const [alice, bob] = (await createUsers(2)) as [TestUser, TestUser]
  const statusId = await mention(bob, alice, { visibility: 'direct' })
  const [request] = await readRequests(alice)
  await bob.client.delete(`/api/v1/statuses/${statusId}`)
  assert.deepEqual(await readRequests(alice), [])
  assert.equal((await alice.client.get(`${V1}/requests/${request!.id}`)).status, 404)
})

test('every page size of requests runs the same number of SQL statements', async () => {
  const [alice, ...others] = (await createUsers(5)) as [TestUser, ...TestUser[]]
  for (const other of others) await mention(other, alice, { visibility: 'direct' })
  await testServer.waitForJobs()
  // The first use of a token is recorded, which invalidates its cache entry for the second.
  for (let n = 0; n < 2; n += 1) await readRequests(alice)
  const short = await countQueries(() => alice.client.get(`${V1}/requests?limit=1`))
  const long = await countQueries(() => alice.client.get(`${V1}/requests?limit=4`))
  assert.equal(long, short)
})

const ageFollow = (from: TestUser, to: TestUser) =>
  sql`update follows set created_at = now() - interval '4 days' where account_id = ${from.accountId}
    and target_account_id = ${to.accountId}`.execute(db)
