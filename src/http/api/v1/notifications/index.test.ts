import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../../test/count-queries.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'

const world = await openWorld()
after(world.close)

const PATH = '/api/v1/notifications'
const types = (body: { type: string }[]) => body.map(({ type }) => type)
const ids = (body: { id: string }[]) => body.map(({ id }) => id)

/** Somebody to whom five things happened, in this order: two favourites, a boost, a follow, a mention. */
async function createBusy(): Promise<{ alice: Person; bob: Person; carol: Person }> {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const { body } = await alice.client.post('/api/v1/statuses', { status: 'mine' })
  for (const happen of [
    () => bob.client.post(`/api/v1/statuses/${body.id}/favourite`),
    () => carol.client.post(`/api/v1/statuses/${body.id}/favourite`),
    () => bob.client.post(`/api/v1/statuses/${body.id}/reblog`),
    () => bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`),
    () => carol.client.post('/api/v1/statuses', { status: `@${alice.username} hi` }),
  ]) {
    assert.equal((await happen()).status, 200)
    await world.settle()
  }
  return { alice, bob, carol }
}

test('BI3 kinds can be asked for and left out, in any spelling; a kind that there is not gives none', async () => {
  const { alice, bob, carol } = await createBusy()
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
    const answer = await alice.client.get(`${PATH}?${query}`)
    assert.deepEqual([query, answer.status, types(answer.body)], [query, 200, expected])
  }
  const many = Array.from({ length: 1_500 }, (_, n) => `types[]=x${n}`).join('&')
  assert.deepEqual((await alice.client.get(`${PATH}?${many}`)).body, [])
})

test('BI2 notifications can be walked both ways; the links keep the filters', async () => {
  const { alice } = await createBusy()
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

test('a notification can be taken away by whom it is for, and all of them at once', async () => {
  const { alice, bob } = await createBusy()
  const [first, ...rest] = ids((await alice.client.get(PATH)).body)
  assert.equal((await bob.client.post(`${PATH}/${first}/dismiss`)).status, 404)
  const gone = await alice.client.post(`${PATH}/${first}/dismiss`)
  assert.deepEqual([gone.status, gone.body], [200, {}])
  assert.equal((await alice.client.post(`${PATH}/${first}/dismiss`)).status, 404)
  assert.equal((await alice.client.get(`${PATH}/${first}`)).status, 404)
  assert.deepEqual(ids((await alice.client.get(PATH)).body), rest)
  assert.deepEqual((await alice.client.post(`${PATH}/clear`)).body, {})
  assert.deepEqual((await alice.client.get(PATH)).body, [])
  for (const id of ['0', '-1', 'clear', '9223372036854775808']) {
    assert.equal((await alice.client.get(`${PATH}/${id}`)).status, 404)
  }
})

test('notifications ask for a token with their scope', async () => {
  const reader = await world.createPerson({ scopes: 'read:notifications' })
  assert.equal((await world.anonymous.get(PATH)).status, 401)
  assert.equal((await reader.client.get(PATH)).status, 200)
  assert.equal((await reader.client.post(`${PATH}/clear`)).status, 403)
  const other = await world.createPerson({ scopes: 'read:statuses write' })
  assert.equal((await other.client.get(PATH)).status, 403)
})

test('a page of notifications costs the same number of queries, however long it is', async () => {
  const { alice } = await createBusy()
  await alice.client.get(PATH)
  const short = await countQueries(() => alice.client.get(`${PATH}?limit=1`))
  const long = await countQueries(() => alice.client.get(`${PATH}?limit=5`))
  // One more than a mention needs: what the others are about.
  assert.ok(long <= short + 1, `${short} and ${long}`)
  assert.ok(long <= 6, String(long))
})
