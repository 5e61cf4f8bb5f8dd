import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { createUsers } from '../../../../../test/servers/create-users.ts'
import { captureQueries, countQueries } from '../../../../../test/performance/count-queries.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { limit, suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { UserOptions } from '../../../../../test/servers/create-user.ts'
import { changeSetting } from '../../../../domain/instance/instance-settings.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx

const PATH = '/api/v1/directory'
const viewer = await testServer.createUser({ username: 'viewer' })

const list = async (query: Record<string, unknown> = {}, client = testServer.anonymous) => {
  const { status, body } = await client.get<{ id: string }[]>(PATH, query)
  assert.equal(status, 200)
  return body.map(({ id }) => id)
}

async function createDiscoverable(options: UserOptions = {}): Promise<TestUser> {
  const user = await testServer.createUser(options)
  await sql`update accounts set discoverable = true, version = version + 1 where id = ${user.accountId}`.execute(db)
  return user
}

async function createRemote(username: string, domain: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with created as (
      insert into accounts (username, domain, uri, url, discoverable)
      values (${username}, ${domain}, ${`https://${domain}/${username}`}, ${`https://${domain}/@${username}`}, true)
      returning id
    ), stats as (insert into account_stats (account_id) select id from created)
    select id from created`.execute(db)
  return rows[0]!.id
}

const change = (accountId: string, column: string, value: unknown) =>
  sql`update accounts set ${sql.ref(column)} = ${value}, version = version + 1 where id = ${accountId}`.execute(db)

test('the directory has discoverable accounts, sorted by last post or by creation', async () => {
  const [ann, ben, cem] = [await createDiscoverable(), await createDiscoverable(), await createDiscoverable()]
  const remoteId = await createRemote('remote', 'remote.test')
  await testServer.createUser()
  for (const { client } of [cem, ann]) await client.post('/api/v1/statuses', { status: 'hello' })
  const [a, b, c] = [ann.accountId, ben.accountId, cem.accountId]
  assert.deepEqual(await list(), [a, c, remoteId, b])
  assert.deepEqual(await list({ order: 'active', local: true }), [a, c, b])
  assert.deepEqual(await list({ order: 'new' }), [remoteId, c, b, a])
  assert.deepEqual(await list({ order: 'new', local: 'true' }), [c, b, a])
  assert.deepEqual(await list({ limit: 2, offset: 1 }, viewer.client), [c, remoteId])
  assert.equal((await testServer.anonymous.get(PATH, { order: 'username; drop table accounts' })).status, 422)
  const { body } = await viewer.client.get(PATH)
  for (const account of body) assertEntity('Account', account)
  for (const id of [a, b, c, remoteId]) await change(id, 'discoverable', null)
})

test('AC11 VI17 hidden, suspended, limited, memorial, moved and undiscoverable accounts are left out', async () => {
  const visible = await createDiscoverable()
  const exclusions: [string, unknown][] = [
    ['memorial', true],
    ['moved_to_account_id', visible.accountId],
    ['discoverable', false],
    ['discoverable', null],
  ]
  for (const [column, value] of exclusions) await change((await createDiscoverable()).accountId, column, value)
  await suspend(ctx, await createDiscoverable())
  await limit(ctx, await createDiscoverable())
  await createDiscoverable({ confirmed: false })
  await createDiscoverable({ approved: false })
  for (const order of ['active', 'new']) {
    for (const local of [true, false]) {
      for (const client of [testServer.anonymous, viewer.client]) {
        assert.deepEqual(await list({ order, local }, client), [visible.accountId])
      }
    }
  }
  await change(visible.accountId, 'discoverable', false)
})

test('blocked, muted and blocking accounts and blocked domains are left out', async () => {
  const users = await Promise.all(Array.from({ length: 4 }, async () => createDiscoverable()))
  const [visible, blocked, muted, blocker] = users as [TestUser, TestUser, TestUser, TestUser]
  const remoteId = await createRemote('remote', 'sub.blocked.test')
  const reader = await testServer.createUser()
  await reader.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  await reader.client.post(`/api/v1/accounts/${muted.accountId}/mute`)
  await blocker.client.post(`/api/v1/accounts/${reader.accountId}/block`)
  await sql`insert into account_domain_blocks (account_id, domain) values (${reader.accountId}, 'blocked.test')`.execute(
    db,
  )
  for (const order of ['active', 'new']) {
    assert.deepEqual(await list({ order }, reader.client), [visible.accountId])
    assert.equal((await list({ order }, viewer.client)).length, 5)
  }
  for (const id of [...users.map((user) => user.accountId), remoteId]) await change(id, 'discoverable', false)
})

test('pages have every account once in each order and run the same number of SQL statements', async () => {
  const users = await createUsers(ctx, { prefix: 'listed', count: 130 })
  await sql`update accounts set discoverable = true where id = any(${users}::bigint[])`.execute(db)
  await sql`update account_stats set last_status_at = now() - (account_id % 7) * interval '1 day'
    where account_id = any(${users}::bigint[]) and account_id % 3 > 0`.execute(db)
  for (const order of ['active', 'new']) {
    for (const local of [true, false]) {
      const found: string[] = []
      for (let offset = 0; ; offset += 40) {
        const page = await list({ order, local, offset }, viewer.client)
        found.push(...page)
        if (page.length === 0) break
      }
      assert.deepEqual([found.length, new Set(found)], [users.length, new Set(users)])
      assert.equal((await list({ order, local, limit: 1e9 })).length, 80)
    }
  }
  const cost = (query: object) => countQueries(async () => list({ order: 'active', ...query }, viewer.client))
  await cost({})
  assert.equal(await cost({ limit: 80 }), await cost({ limit: 40 }))
  for (const query of [
    { limit: -1 },
    { limit: '5x' },
    { offset: 1e9 },
    { offset: -5 },
    { offset: 'x' },
    { limit: 0 },
  ]) {
    await list(query)
  }
  await sql`update accounts set discoverable = null where id = any(${users}::bigint[])`.execute(db)
})

test('a disabled directory gets 404', async () => {
  const set = (value: boolean) =>
    ctx.write((tx) => changeSetting(tx, { by: null, name: 'directory', text: value ? 'on' : 'off' }))
  await set(false)
  const response = await testServer.anonymous.get(PATH)
  assert.deepEqual([response.status, response.body], [404, { error: 'Record not found' }])
  await set(true)
  assert.deepEqual(await list(), [])
})

test('a page after the last account looks up the counters of each listed account once', async () => {
  // Without triggers, this takes a fraction of the time.
  await db.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      with created as (
        insert into accounts (username, domain, uri, url, discoverable)
        select 'many' || n, 'many.test', 'https://many.test/' || n, 'https://many.test/@' || n, n % 5 = 0
        from generate_series(1, 3000) n returning id
      ) insert into account_stats (account_id) select id from created`.execute(tx)
    for (const table of ['accounts', 'account_stats']) await sql`analyze ${sql.table(table)}`.execute(tx)
  })
  const texts = await captureQueries(async () => assert.deepEqual(await list({ offset: 20_000 }), []))
  // `explain (generic_plan)` needs a client that does not prepare statements.
  const client = new pg.Client(testServer.connection)
  await client.connect()
  try {
    for (const text of texts.filter((one) => one.includes('account_stats'))) {
      const { rows } = await client.query(`explain (generic_plan) ${text}`)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      assert.ok(!/Join Filter: .*account_id = a\.id/.test(plan), plan)
    }
  } finally {
    await client.end()
  }
})
