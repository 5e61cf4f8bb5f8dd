import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { captureQueries, countQueries } from '../../../../../test/performance/count-queries.ts'
import { countReadRows } from '../../../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { openRead } from '../../../../domain/open-read.ts'
import { listNotifications } from '../../../../domain/notifications/read/list-notifications.ts'
import type { Page } from '../../../../lib/page.ts'

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

test('notifications of a rare type are found without reading the others', async () => {
  const alice = await testServer.createUser()
  const { rows: senders } = await sql<{ id: string }>`
    insert into accounts (username, domain, uri, url)
    select 'fan' || n, 'fans.test', 'https://fans.test/' || n, 'https://fans.test/@' || n from generate_series(1, 200) n
    returning id`.execute(testServer.ctx.db)
  await sql`insert into statuses (account_id, uri, url, visibility)
    select ${alice.accountId}::bigint, 'https://linnet.test/s/' || gen_random_uuid(), '', 'public'
    from generate_series(1, 80)`.execute(testServer.ctx.db)
  const notify = (type: string, count: number) =>
    sql`insert into notifications (account_id, from_account_id, type, status_id)
      select ${alice.accountId}::bigint, f.id, ${type}, case when ${type} = 'favourite' then s.id end
      from unnest(${senders.map(({ id }) => id)}::bigint[]) f (id), lateral (
        select id from statuses where account_id = ${alice.accountId} order by id limit ${type === 'favourite' ? 80 : 1}) s
      order by f.id, s.id limit ${count}`.execute(testServer.ctx.db)
  await notify('follow', 50)
  await notify('of another version', 1)
  await notify('favourite', 16_000)
  const read = async (filter: { types?: string[]; excludedTypes?: string[] }, page: Page) => {
    let found: string[] = []
    const rows = await testServer.ctx.write((tx) =>
      countReadRows(tx, {
        table: 'notifications',
        work: async () => {
          const context = await openRead({ db: tx.db, config: tx.config })
          found = (await listNotifications(context, { accountId: alice.accountId, page, ...filter })).map(
            ({ id }) => id,
          )
        },
      }),
    )
    assert.ok(rows < 12_000, `${JSON.stringify(filter)}: ${rows} rows`)
    return found
  }
  const follows = await read({ types: ['follow', 'poll', 'follow'] }, { limit: 80 })
  assert.equal(follows.length, 50)
  assert.deepEqual(
    follows,
    follows.toSorted((a, b) => Number(b) - Number(a)),
  )
  assert.deepEqual(await read({ types: ['follow'] }, { limit: 5 }), follows.slice(0, 5))
  assert.deepEqual(await read({ types: ['follow'] }, { limit: 5, maxId: follows[4]! }), follows.slice(5, 10))
  assert.deepEqual(await read({ types: ['poll'] }, { limit: 5 }), [])
  const others = await read({ excludedTypes: ['favourite'] }, { limit: 80 })
  assert.deepEqual(others.slice(1), follows)
  assert.equal((await read({ types: ['favourite'] }, { limit: 40 })).length, 40)
})

test('more notifications than one transaction deletes are cleared', async () => {
  const [owner, sender] = [await testServer.createUser(), await testServer.createUser()]
  await sql`insert into notifications (account_id, from_account_id, type)
    select ${owner.accountId}, ${sender.accountId}, 'follow ' || n from generate_series(1, 5100) n`.execute(
    testServer.ctx.db,
  )
  const statements = await captureQueries(() => owner.client.post('/api/v1/notifications/clear'))
  assert.equal(statements.filter((text) => text.includes('delete from notifications')).length, 2)
  const { rows } = await sql`select from notifications where account_id = ${owner.accountId}`.execute(testServer.ctx.db)
  assert.equal(rows.length, 0)
})
