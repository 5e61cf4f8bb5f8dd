import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

const PATH = '/api/v1/notifications'
const types = (body: { type: string }[]) => body.map(({ type }) => type)
const ids = (body: { id: string }[]) => body.map(({ id }) => id)

/** Creates a user with five notifications, in this order: two favourites, a boost, a follow, a mention. */
async function createNotifiedUser(): Promise<{ alice: TestUser; bob: TestUser; carol: TestUser }> {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const { body } = await alice.client.post('/api/v1/statuses', { status: 'mine' })
  for (const interact of [
    () => bob.client.post(`/api/v1/statuses/${body.id}/favourite`),
    () => carol.client.post(`/api/v1/statuses/${body.id}/favourite`),
    () => bob.client.post(`/api/v1/statuses/${body.id}/reblog`),
    () => bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`),
    () => carol.client.post('/api/v1/statuses', { status: `@${alice.username} hi` }),
  ]) {
    assert.equal((await interact()).status, 200)
    await testServer.waitForJobs()
  }
  return { alice, bob, carol }
}

test('BI3 types can be included and excluded in every spelling; an unknown type returns none', async () => {
  const { alice, bob, carol } = await createNotifiedUser()
  const all = ['mention', 'follow', 'reblog', 'favourite', 'favourite']
  const expectations: [string, string[]][] = [
    ['', all],
    ['types[]=mention&types[]=follow', ['mention', 'follow']],
    ['types=mention', ['mention']],
    ['types[x]=mention', ['mention']],
    ['types[]=', all],
    ['types[]=nonsense', []],
    ['types[]=nonsense&types[]=follow', ['follow']],
    ['exclude_types[]=favourite', ['mention', 'follow', 'reblog']],
    ['types[]=favourite&types[]=reblog&exclude_types[]=favourite', ['reblog']],
    [`account_id=${bob.accountId}`, ['follow', 'reblog', 'favourite']],
    [`account_id=${carol.accountId}&types[]=favourite`, ['favourite']],
    ['account_id=nobody', []],
    ['account_id=-1', []],
    ['limit=2', ['mention', 'follow']],
    ['limit=0', []],
    ['limit=1000000000', all],
  ]
  for (const [query, expected] of expectations) {
    const response = await alice.client.get(`${PATH}?${query}`)
    assert.deepEqual([query, response.status, types(response.body)], [query, 200, expected])
  }
  const many = Array.from({ length: 1_500 }, (_, n) => `types[]=x${n}`).join('&')
  assert.deepEqual((await alice.client.get(`${PATH}?${many}`)).body, [])
})

test('BI2 notifications are paged in both directions; the Link header keeps the filters', async () => {
  const { alice } = await createNotifiedUser()
  const all = ids((await alice.client.get(PATH)).body)
  const first = await alice.client.get(`${PATH}?limit=2&exclude_types[]=poll`)
  const [next, prev] = ['next', 'prev'].map((rel) => {
    const link = new RegExp(`<https://linnet\\.test([^>]+)>; rel="${rel}"`).exec(String(first.headers.link))?.[1]
    assert.ok(link?.includes('exclude_types%5B%5D=poll'))
    return link!
  })
  assert.deepEqual(ids((await alice.client.get(next!)).body), all.slice(2, 4))
  assert.deepEqual((await alice.client.get(prev!)).body, [])
  assert.deepEqual(ids((await alice.client.get(`${PATH}?limit=2&min_id=${all[4]}`)).body), all.slice(2, 4))
  assert.deepEqual(ids((await alice.client.get(`${PATH}?since_id=${all[2]}`)).body), all.slice(0, 2))
  for (const query of ['max_id=x', 'min_id=-1', 'since_id=1e400', 'max_id=9223372036854775808', 'min_id=5&max_id=1']) {
    assert.equal((await alice.client.get(`${PATH}?${query}`)).status, 200)
  }
})

test('the recipient can dismiss a notification or all of them', async () => {
  const { alice, bob } = await createNotifiedUser()
  const [first, ...rest] = ids((await alice.client.get(PATH)).body)
  assert.equal((await bob.client.post(`${PATH}/${first}/dismiss`)).status, 404)
  const deleted = await alice.client.post(`${PATH}/${first}/dismiss`)
  assert.deepEqual([deleted.status, deleted.body], [200, {}])
  assert.equal((await alice.client.post(`${PATH}/${first}/dismiss`)).status, 404)
  assert.equal((await alice.client.get(`${PATH}/${first}`)).status, 404)
  assert.deepEqual(ids((await alice.client.get(PATH)).body), rest)
  assert.deepEqual((await alice.client.post(`${PATH}/clear`)).body, {})
  assert.deepEqual((await alice.client.get(PATH)).body, [])
  for (const id of ['0', '-1', 'clear', '9223372036854775808']) {
    assert.equal((await alice.client.get(`${PATH}/${id}`)).status, 404)
  }
})

test('notifications need a token with their scope', async () => {
  const reader = await testServer.createUser({ scopes: 'read:notifications' })
  assert.equal((await testServer.anonymous.get(PATH)).status, 401)
  assert.equal((await reader.client.get(PATH)).status, 200)
  assert.equal((await reader.client.post(`${PATH}/clear`)).status, 403)
  const other = await testServer.createUser({ scopes: 'read:statuses write' })
  assert.equal((await other.client.get(PATH)).status, 403)
})

test('every page size of notifications runs a constant number of SQL statements', async () => {
  const { alice } = await createNotifiedUser()
  await alice.client.get(PATH)
  const short = await countQueries(() => alice.client.get(`${PATH}?limit=1`))
  const long = await countQueries(() => alice.client.get(`${PATH}?limit=5`))
  // One statement more than a mention needs: the statuses of the other notifications.
  assert.ok(long <= short + 1, `${short} and ${long}`)
  assert.ok(long <= 6, String(long))
})
