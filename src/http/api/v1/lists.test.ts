import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../test/linnet.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { List } from '../../../entities/list.ts'
import type { Status } from '../../../entities/status.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

async function makeList(person: Person, traits: object = {}): Promise<List> {
  const { status, body } = await person.client.post<List>('/api/v1/lists', { title: 'Friends', ...traits })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function follow(person: Person, ...others: Person[]): Promise<void> {
  for (const other of others) {
    assert.equal((await person.client.post(`/api/v1/accounts/${other.accountId}/follow`)).status, 200)
  }
}

const addTo = (list: { id: string }, owner: Person, ...members: Person[]) =>
  owner.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: members.map((one) => one.accountId) })

async function membersOf(list: { id: string }, owner: Person): Promise<string[]> {
  const { status, body } = await owner.client.get(`/api/v1/lists/${list.id}/accounts`)
  assert.equal(status, 200)
  return idsOf(body)
}

test('a list is made, seen, changed and deleted by its owner', async () => {
  const alice = await world.createPerson()
  assert.deepEqual((await alice.client.get('/api/v1/lists')).body, [])
  const first = await makeList(alice)
  assertOnWire('List', first)
  assert.deepEqual({ ...first, id: '' }, { id: '', title: 'Friends', replies_policy: 'list', exclusive: false })
  const second = await makeList(alice, { title: ' News\n ', replies_policy: 'none', exclusive: 'true' })
  assert.deepEqual({ ...second, id: '' }, { id: '', title: 'News', replies_policy: 'none', exclusive: true })
  assert.deepEqual((await alice.client.get('/api/v1/lists')).body, [first, second])
  assert.deepEqual((await alice.client.get(`/api/v1/lists/${first.id}`)).body, first)

  const changed = await alice.client.put(`/api/v1/lists/${first.id}`, { replies_policy: 'followed' })
  assert.deepEqual(changed.body, { ...first, replies_policy: 'followed' })
  const renamed = await alice.client.put(`/api/v1/lists/${first.id}`, { title: 'Family', exclusive: true })
  assert.deepEqual(renamed.body, { ...first, title: 'Family', replies_policy: 'followed', exclusive: true })

  const gone = await alice.client.delete(`/api/v1/lists/${first.id}`)
  assert.deepEqual([gone.status, gone.body], [200, {}])
  assert.deepEqual((await alice.client.get('/api/v1/lists')).body, [second])
})

test('BI18 a title that is missing, blank, too long or a megabyte is refused, and so is another policy', async () => {
  const alice = await world.createPerson()
  const list = await makeList(alice)
  const refused = async (body: object, method: 'post' | 'put' = 'post') => {
    const path = method === 'post' ? '/api/v1/lists' : `/api/v1/lists/${list.id}`
    const answer = await alice.client[method](path, body)
    assert.equal(answer.status, 422, JSON.stringify(body).slice(0, 80))
    return answer.body.error
  }
  assert.equal(await refused({}), "Validation failed: Title can't be blank")
  assert.equal(await refused({ title: ' \n ' }), "Validation failed: Title can't be blank")
  const tooLong = 'Validation failed: Title is too long (maximum is 256 characters)'
  assert.equal(await refused({ title: 'x'.repeat(257) }), tooLong)
  assert.equal(await refused({ title: 'x'.repeat(1_000_000) }), tooLong)
  assert.equal(await refused({ title: '👩‍👩‍👧'.repeat(40_000) }), tooLong)
  assert.equal(await refused({ title: 'x'.repeat(1_000_000) }, 'put'), tooLong)
  assert.equal(await refused({ title: '' }, 'put'), "Validation failed: Title can't be blank")
  assert.match(await refused({ title: 'x', replies_policy: 'all' }), /not included in the list/)
  assert.match(await refused({ replies_policy: 'all' }, 'put'), /not included in the list/)
  assert.equal((await makeList(alice, { title: '👩‍👩‍👧'.repeat(256) })).title, '👩‍👩‍👧'.repeat(256))
  assert.deepEqual((await alice.client.get(`/api/v1/lists/${list.id}`)).body, list)
})

test('FP2 nobody has more than 50 lists, also when 60 are made at once', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, n) => alice.client.post('/api/v1/lists', { title: `List ${n}` })),
  )
  assert.equal(made.filter(({ status }) => status === 200).length, 50)
  for (const { body } of made.filter(({ status }) => status !== 200)) {
    assert.deepEqual(body, { error: 'You have reached the maximum number of lists' })
  }
  const { body } = await alice.client.get<List[]>('/api/v1/lists')
  assert.equal(new Set(idsOf(body)).size, 50)
  await makeList(bob)
  await alice.client.delete(`/api/v1/lists/${body[0]!.id}`)
  await makeList(alice)
  assert.equal((await alice.client.post('/api/v1/lists', { title: 'One more' })).status, 422)
})

test('VI11 a list of somebody else, one that was deleted and one that never was are not found in the same words', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await follow(alice, carol)
  await follow(bob, carol)
  const list = await makeList(alice)
  await addTo(list, alice, carol)
  const deleted = await makeList(bob)
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
        const answer = await world.server.inject({
          method,
          url: `/api/v1/lists/${id}${rest}`,
          headers: { authorization: `Bearer ${bob.token}` },
          ...(payload && { payload }),
        })
        return `${answer.statusCode} ${answer.body}`
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

test('FP2 on a list are people whom its owner follows or asked to follow, and the owner; all of a request, or none', async () => {
  const alice = await world.createPerson()
  const [bob, carol, stranger] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const locked = await world.createPerson({ locked: true })
  const unconfirmed = await world.createPerson({ confirmed: false })
  await follow(alice, bob, carol, locked)
  const list = await makeList(alice)
  const refusal = async (...members: (Person | { accountId: string })[]) => {
    const { status, body } = await addTo(list, alice, ...(members as Person[]))
    return [status, body.error]
  }
  const notFollowed = [422, 'Validation failed: Account must be a followed account']
  assert.deepEqual(await refusal(bob, stranger), notFollowed)
  assert.deepEqual(await refusal(bob, unconfirmed), [404, 'Record not found'])
  assert.deepEqual(await refusal(bob, { accountId: '999999' }), [404, 'Record not found'])
  assert.deepEqual(await refusal(bob, { accountId: 'x' }), [404, 'Record not found'])
  assert.deepEqual(await membersOf(list, alice), [])

  const added = await addTo(list, alice, bob, locked, bob)
  assert.deepEqual([added.status, added.body], [200, {}])
  assert.equal((await addTo(list, alice, alice)).status, 200)
  assert.deepEqual(await refusal(carol, bob), [422, 'Validation failed: Account is already on the list'])
  assert.deepEqual(await membersOf(list, alice), [alice.accountId, locked.accountId, bob.accountId])
  assert.equal((await addTo(list, alice)).status, 200)

  const other = await makeList(alice, { title: 'Others' })
  await addTo(other, alice, carol)
  const holding = async (person: Person) => (await alice.client.get(`/api/v1/accounts/${person.accountId}/lists`)).body
  assert.deepEqual(await holding(bob), [list])
  assert.deepEqual(await holding(stranger), [])
  assert.deepEqual((await bob.client.get(`/api/v1/accounts/${bob.accountId}/lists`)).body, [])
  assert.equal((await alice.client.get('/api/v1/accounts/999999/lists')).status, 404)
})

test('people are taken off a list by a body or by a query; who is not there does not matter', async () => {
  const [alice, bob, carol, dora] = await Promise.all([1, 2, 3, 4].map(() => world.createPerson()))
  await follow(alice!, bob!, carol!, dora!)
  const list = await makeList(alice!)
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

test('whoever is on a list by a request stays when it is granted, by hand or by unlocking, and goes with it otherwise', async () => {
  const alice = await world.createPerson()
  const [granted, unlocked, refused, withdrawn] = await Promise.all(
    [1, 2, 3, 4].map(() => world.createPerson({ locked: true })),
  )
  const all = [granted!, unlocked!, refused!, withdrawn!]
  await follow(alice, ...all)
  const list = await makeList(alice)
  await addTo(list, alice, ...all)
  await granted!.client.post(`/api/v1/follow_requests/${alice.accountId}/authorize`)
  await refused!.client.post(`/api/v1/follow_requests/${alice.accountId}/reject`)
  await unlocked!.client.patch('/api/v1/accounts/update_credentials', { locked: false })
  await alice.client.post(`/api/v1/accounts/${withdrawn!.accountId}/unfollow`)
  await world.settle()
  assert.deepEqual(await membersOf(list, alice), [unlocked!.accountId, granted!.accountId])
  const { body } = await granted!.client.post<Status>('/api/v1/statuses', {
    status: 'Here I am',
    visibility: 'private',
  })
  await world.settle()
  const timeline = await alice.client.get<Status[]>(`/api/v1/timelines/list/${list.id}`)
  assert.deepEqual(idsOf(timeline.body), [body.id])
  await alice.client.post(`/api/v1/accounts/${granted!.accountId}/unfollow`)
  assert.deepEqual(await membersOf(list, alice), [unlocked!.accountId])
  await unlocked!.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  assert.deepEqual(await membersOf(list, alice), [])
})

test('a follow that ends while somebody is put on a list leaves nobody on it who is not followed', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const list = await makeList(alice)
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

test('masto.js makes lists, puts people on them, reads their timelines and deletes them', async () => {
  const port = await findPort()
  const domain = `localhost:${port}`
  const open = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain } })
  try {
    await open.listen()
    const [anna, ben] = [await open.createPerson(), await open.createPerson()]
    const restOf = ({ token }: Person) => createRestAPIClient({ url: `http://${domain}`, accessToken: token })
    const annas = restOf(anna)
    const list = await annas.v1.lists.create({ title: 'Close friends' })
    assert.deepEqual([list.title, list.repliesPolicy, list.exclusive], ['Close friends', 'list', false])
    const one = annas.v1.lists.$select(list.id)
    await annas.v1.accounts.$select(ben.accountId).follow()
    await one.accounts.create({ accountIds: [ben.accountId] })
    assert.deepEqual(idsOf(await one.accounts.list()), [ben.accountId])
    assert.deepEqual(idsOf(await annas.v1.accounts.$select(ben.accountId).lists.list()), [list.id])
    const posted = await restOf(ben).v1.statuses.create({ status: 'Hello, list' })
    await open.settle()
    assert.deepEqual(idsOf(await annas.v1.timelines.list.$select(list.id).list()), [posted.id])
    assert.equal((await one.update({ title: 'Friends', exclusive: true })).exclusive, true)
    assert.equal((await one.fetch()).title, 'Friends')
    await one.accounts.remove({ accountIds: [ben.accountId] })
    assert.deepEqual(await one.accounts.list(), [])
    await one.remove()
    assert.deepEqual(await annas.v1.lists.list(), [])
    await assert.rejects(one.fetch(), { name: 'MastoHttpError', statusCode: 404 })
  } finally {
    await open.close()
  }
})
