import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { List } from '../../../../entities/accounts/list.ts'
import type { Status } from '../../../../entities/statuses/status.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

async function createList(user: TestUser, fields: object = {}): Promise<List> {
  const { status, body } = await user.client.post<List>('/api/v1/lists', { title: 'Friends', ...fields })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function follow(user: TestUser, ...others: TestUser[]): Promise<void> {
  for (const other of others) {
    assert.equal((await user.client.post(`/api/v1/accounts/${other.accountId}/follow`)).status, 200)
  }
}

const addTo = (list: { id: string }, owner: TestUser, ...members: TestUser[]) =>
  owner.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: members.map((member) => member.accountId) })

async function membersOf(list: { id: string }, owner: TestUser): Promise<string[]> {
  const { status, body } = await owner.client.get(`/api/v1/lists/${list.id}/accounts`)
  assert.equal(status, 200)
  return idsOf(body)
}

test('the owner can create, view, change and delete a list', async () => {
  const alice = await testServer.createUser()
  assert.deepEqual((await alice.client.get('/api/v1/lists')).body, [])
  const first = await createList(alice)
  assertEntity('List', first)
  assert.deepEqual({ ...first, id: '' }, { id: '', title: 'Friends', replies_policy: 'list', exclusive: false })
  const second = await createList(alice, { title: ' News\n ', replies_policy: 'none', exclusive: 'true' })
  assert.deepEqual({ ...second, id: '' }, { id: '', title: 'News', replies_policy: 'none', exclusive: true })
  assert.deepEqual((await alice.client.get('/api/v1/lists')).body, [first, second])
  assert.deepEqual((await alice.client.get(`/api/v1/lists/${first.id}`)).body, first)

  const changed = await alice.client.put(`/api/v1/lists/${first.id}`, { replies_policy: 'followed' })
  assert.deepEqual(changed.body, { ...first, replies_policy: 'followed' })
  const renamed = await alice.client.put(`/api/v1/lists/${first.id}`, { title: 'Family', exclusive: true })
  assert.deepEqual(renamed.body, { ...first, title: 'Family', replies_policy: 'followed', exclusive: true })

  const deleted = await alice.client.delete(`/api/v1/lists/${first.id}`)
  assert.deepEqual([deleted.status, deleted.body], [200, {}])
  assert.deepEqual((await alice.client.get('/api/v1/lists')).body, [second])
})

test('BI18 a missing, blank or too long title and an unknown replies_policy are rejected', async () => {
  const alice = await testServer.createUser()
  const list = await createList(alice)
  const errorOf = async (body: object, method: 'post' | 'put' = 'post') => {
    const path = method === 'post' ? '/api/v1/lists' : `/api/v1/lists/${list.id}`
    const response = await alice.client[method](path, body)
    assert.equal(response.status, 422, JSON.stringify(body).slice(0, 80))
    return response.body.error
  }
  assert.equal(await errorOf({}), "Validation failed: Title can't be blank")
  assert.equal(await errorOf({ title: ' \n ' }), "Validation failed: Title can't be blank")
  const tooLong = 'Validation failed: Title is too long (maximum is 256 characters)'
  assert.equal(await errorOf({ title: 'x'.repeat(257) }), tooLong)
  assert.equal(await errorOf({ title: 'x'.repeat(1_000_000) }), tooLong)
  assert.equal(await errorOf({ title: '👩‍👩‍👧'.repeat(40_000) }), tooLong)
  assert.equal(await errorOf({ title: 'x'.repeat(1_000_000) }, 'put'), tooLong)
  assert.equal(await errorOf({ title: '' }, 'put'), "Validation failed: Title can't be blank")
  assert.match(await errorOf({ title: 'x', replies_policy: 'all' }), /not included in the list/)
  assert.match(await errorOf({ replies_policy: 'all' }, 'put'), /not included in the list/)
  assert.equal((await createList(alice, { title: '👩‍👩‍👧'.repeat(256) })).title, '👩‍👩‍👧'.repeat(256))
  assert.deepEqual((await alice.client.get(`/api/v1/lists/${list.id}`)).body, list)
})

test('FP2 a user has at most 50 lists, also by 60 concurrent requests', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const created = await Promise.all(
    Array.from({ length: 60 }, (_, n) => alice.client.post('/api/v1/lists', { title: `List ${n}` })),
  )
  assert.equal(created.filter(({ status }) => status === 200).length, 50)
  for (const { body } of created.filter(({ status }) => status !== 200)) {
    assert.deepEqual(body, { error: 'You have reached the maximum number of lists' })
  }
  const { body } = await alice.client.get<List[]>('/api/v1/lists')
  assert.equal(new Set(idsOf(body)).size, 50)
  await createList(bob)
  await alice.client.delete(`/api/v1/lists/${body[0]!.id}`)
  await createList(alice)
  assert.equal((await alice.client.post('/api/v1/lists', { title: 'One more' })).status, 422)
})

test('VI11 foreign, deleted and unknown lists get the same response', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await follow(alice, carol)
  await follow(bob, carol)
  const list = await createList(alice)
  await addTo(list, alice, carol)
  const deleted = await createList(bob)
  await addTo(deleted, bob, carol)
  await bob.client.delete(`/api/v1/lists/${deleted.id}`)
  const members = { account_ids: [carol.accountId] }
  const requests = [
    ['GET', ''],
    ['PUT', '', { title: 'Mine now' }],
    ['DELETE', ''],
    ['GET', '/accounts'],
    ['POST', '/accounts', members],
    ['DELETE', '/accounts', members],
  ] as const
  for (const [method, rest, payload] of requests) {
    const texts = await Promise.all(
      [list.id, deleted.id, '999999', 'abc'].map(async (id) => {
        const response = await testServer.server.inject({
          method,
          url: `/api/v1/lists/${id}${rest}`,
          headers: { authorization: `Bearer ${bob.token}` },
          ...(payload && { payload }),
        })
        return `${response.statusCode} ${response.body}`
      }),
    )
    assert.deepEqual([...new Set(texts)], ['404 {"error":"Record not found"}'], `${method} ${rest}`)
  }
  for (const id of [list.id, deleted.id, '999999', 'abc']) {
    const { status, body } = await bob.client.get(`/api/v1/timelines/list/${id}`)
    assert.deepEqual([status, body], [404, { error: 'Record not found' }])
  }
  assert.deepEqual(await membersOf(list, alice), [carol.accountId])
})

test('FP2 a list takes accounts that its owner follows or asked to follow, all of a request or none', async () => {
  const alice = await testServer.createUser()
  const [bob, carol, unfollowed] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const locked = await testServer.createUser({ locked: true })
  const unconfirmed = await testServer.createUser({ confirmed: false })
  await follow(alice, bob, carol, locked)
  const list = await createList(alice)
  const rejectionOf = async (...members: (TestUser | { accountId: string })[]) => {
    const { status, body } = await addTo(list, alice, ...(members as TestUser[]))
    return [status, body.error]
  }
  const notFollowed = [422, 'Validation failed: Account must be a followed account']
  assert.deepEqual(await rejectionOf(bob, unfollowed), notFollowed)
  assert.deepEqual(await rejectionOf(bob, unconfirmed), [404, 'Record not found'])
  assert.deepEqual(await rejectionOf(bob, { accountId: '999999' }), [404, 'Record not found'])
  assert.deepEqual(await rejectionOf(bob, { accountId: 'x' }), [404, 'Record not found'])
  assert.deepEqual(await membersOf(list, alice), [])

  const added = await addTo(list, alice, bob, locked, bob)
  assert.deepEqual([added.status, added.body], [200, {}])
  assert.equal((await addTo(list, alice, alice)).status, 200)
  assert.deepEqual(await rejectionOf(carol, bob), [422, 'Validation failed: Account is already on the list'])
  assert.deepEqual(await membersOf(list, alice), [alice.accountId, locked.accountId, bob.accountId])
  assert.equal((await addTo(list, alice)).status, 200)

  const other = await createList(alice, { title: 'Others' })
  await addTo(other, alice, carol)
  const listsContaining = async (user: TestUser) =>
    (await alice.client.get(`/api/v1/accounts/${user.accountId}/lists`)).body
  assert.deepEqual(await listsContaining(bob), [list])
  assert.deepEqual(await listsContaining(unfollowed), [])
  assert.deepEqual((await bob.client.get(`/api/v1/accounts/${bob.accountId}/lists`)).body, [])
  assert.equal((await alice.client.get('/api/v1/accounts/999999/lists')).status, 404)
})

test('accounts are removed by body or query; accounts that are not on the list are ignored', async () => {
  const [alice, bob, carol, dora] = await Promise.all([1, 2, 3, 4].map(() => testServer.createUser()))
  await follow(alice!, bob!, carol!, dora!)
  const list = await createList(alice!)
  await addTo(list, alice!, bob!, carol!, dora!)
  const path = `/api/v1/lists/${list.id}/accounts`
  assert.deepEqual((await alice!.client.delete(path, { account_ids: [bob!.accountId, '7', 'x'] })).body, {})
  assert.deepEqual(await membersOf(list, alice!), [dora!.accountId, carol!.accountId])
  const byQuery = await alice!.client.delete(
    `${path}?account_ids[]=${carol!.accountId}&account_ids[]=${bob!.accountId}`,
  )
  assert.deepEqual([byQuery.status, byQuery.body], [200, {}])
  assert.deepEqual(await membersOf(list, alice!), [dora!.accountId])
  assert.equal((await alice!.client.delete(path)).status, 200)
  assert.deepEqual(await membersOf(list, alice!), [dora!.accountId])
})

test('a member with a pending follow request stays if it is accepted and is removed otherwise', async () => {
  const alice = await testServer.createUser()
  const [granted, unlocked, rejected, withdrawn] = await Promise.all(
    [1, 2, 3, 4].map(() => testServer.createUser({ locked: true })),
  )
  const all = [granted!, unlocked!, rejected!, withdrawn!]
  await follow(alice, ...all)
  const list = await createList(alice)
  await addTo(list, alice, ...all)
  await granted!.client.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)
  await rejected!.client.post(`/api/v1/follow_requests/${alice.accountId}/reject`)
  await unlocked!.client.patch('/api/v1/accounts/update_credentials', { locked: false })
  await alice.client.post(`/api/v1/accounts/${withdrawn!.accountId}/unfollow`)
  await testServer.waitForJobs()
  assert.deepEqual(await membersOf(list, alice), [unlocked!.accountId, granted!.accountId])
  const { body } = await granted!.client.post<Status>('/api/v1/statuses', {
    status: 'hello',
    visibility: 'private',
  })
  await testServer.waitForJobs()
  const timeline = await alice.client.get<Status[]>(`/api/v1/timelines/list/${list.id}`)
  assert.deepEqual(idsOf(timeline.body), [body.id])
  await alice.client.post(`/api/v1/accounts/${granted!.accountId}/unfollow`)
  assert.deepEqual(await membersOf(list, alice), [unlocked!.accountId])
  await unlocked!.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  assert.deepEqual(await membersOf(list, alice), [])
})

test('a concurrent unfollow never leaves an unfollowed account on a list', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const list = await createList(alice)
  for (let n = 0; n < 8; n += 1) {
    await follow(alice, bob)
    await Promise.all([addTo(list, alice, bob), alice.client.post(`/api/v1/accounts/${bob.accountId}/unfollow`)])
    assert.deepEqual(await membersOf(list, alice), [])
  }
  await follow(alice, bob)
  const twice = await Promise.all([addTo(list, alice, bob), addTo(list, alice, bob)])
  assert.deepEqual(
    twice.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 422],
  )
})

test('masto.js manages lists and their accounts and reads list timelines', async () => {
  const port = await findPort()
  const domain = `localhost:${port}`
  const ownServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain } })
  try {
    await ownServer.listen()
    const [anna, ben] = [await ownServer.createUser(), await ownServer.createUser()]
    const restOf = ({ token }: TestUser) => createRestAPIClient({ url: `http://${domain}`, accessToken: token })
    const annaClient = restOf(anna)
    const list = await annaClient.v1.lists.create({ title: 'Close friends' })
    assert.deepEqual([list.title, list.repliesPolicy, list.exclusive], ['Close friends', 'list', false])
    const listClient = annaClient.v1.lists.$select(list.id)
    await annaClient.v1.accounts.$select(ben.accountId).follow()
    await listClient.accounts.create({ accountIds: [ben.accountId] })
    assert.deepEqual(idsOf(await listClient.accounts.list()), [ben.accountId])
    assert.deepEqual(idsOf(await annaClient.v1.accounts.$select(ben.accountId).lists.list()), [list.id])
    const posted = await restOf(ben).v1.statuses.create({ status: 'Hello, list' })
    await ownServer.waitForJobs()
    assert.deepEqual(idsOf(await annaClient.v1.timelines.list.$select(list.id).list()), [posted.id])
    assert.equal((await listClient.update({ title: 'Friends', exclusive: true })).exclusive, true)
    assert.equal((await listClient.fetch()).title, 'Friends')
    await listClient.accounts.remove({ accountIds: [ben.accountId] })
    assert.deepEqual(await listClient.accounts.list(), [])
    await listClient.remove()
    assert.deepEqual(await annaClient.v1.lists.list(), [])
    await assert.rejects(listClient.fetch(), { name: 'MastoHttpError', statusCode: 404 })
  } finally {
    await ownServer.close()
  }
})
