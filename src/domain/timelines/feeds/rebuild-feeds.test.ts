import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { walkPages } from '../../../../test/http/walk-pages.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { List } from '../../../entities/accounts/list.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { fanOutStatuses } from './fan-out-statuses.ts'
import { pruneInactiveFeeds, rebuildFeeds } from './rebuild-feeds.ts'
import { mergeAccountsIntoFeeds, mergeIntoList } from './merge-into-feeds.ts'
import { pruneFeeds } from './prune-feeds.ts'

// The tests call the effects themselves, so that they can check the state before and after.
const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  const { body } = await user.client.post<Status>('/api/v1/statuses', { status, ...more })
  await fanOutStatuses(ctx, [{ statusId: body.id }])
  return body.id
}

async function follow(user: TestUser, other: TestUser): Promise<void> {
  await user.client.post(`/api/v1/accounts/${other.accountId}/follow`)
  await mergeAccountsIntoFeeds(ctx, [{ accountId: user.accountId, targetAccountId: other.accountId }])
}

async function createList(owner: TestUser, members: TestUser[], traits: object = {}): Promise<string> {
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'A list', ...traits })
  const memberIds = members.map((one) => one.accountId)
  const response = await owner.client.post(`/api/v1/lists/${body.id}/accounts`, { account_ids: memberIds })
  assert.equal(response.status, 200)
  await mergeIntoList(ctx, { accountId: owner.accountId, listId: body.id, memberIds, exclusive: body.exclusive })
  return body.id
}

async function read(user: TestUser, timeline = 'home'): Promise<[status: number, ids: string[]]> {
  const { status, body } = await user.client.get<Status[]>(`/api/v1/timelines/${timeline}?limit=40`)
  return [status, body.map(({ id }) => id)]
}

/** Reads complete feeds, even if a slow machine takes longer to rebuild them than the limit of a request. */
async function readComplete(user: TestUser, timeline = 'home'): Promise<[status: number, ids: string[]]> {
  const [status, ids] = await read(user, timeline)
  if (status === 200) return [status, ids]
  await rebuildFeeds(ctx, { accountId: user.accountId })
  return read(user, timeline)
}

async function setLastSeen(user: TestUser, days: number): Promise<void> {
  await sql`update users set last_seen_at = now() - ${days} * interval '1 day' where id = ${user.userId}`.execute(
    ctx.db,
  )
}

async function becomeInactive(user: TestUser, days = 31): Promise<void> {
  await setLastSeen(user, days)
  await pruneInactiveFeeds(ctx)
}

async function countEntries(user: TestUser): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*)::int from feed_entries where account_id = ${user.accountId})
      + (select count(*)::int from list_entries e join lists l on l.id = e.list_id
         where l.account_id = ${user.accountId}) as n`.execute(ctx.db)
  return rows[0]!.n
}

async function countRebuildJobs(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from jobs j where j.name = 'rebuildFeeds'`.execute(ctx.db)
  return rows[0]!.n
}

/** Runs `work` while a lock blocks every rebuild of feeds with this status. */
async function whileRebuildsWait<T>(statusId: string, work: () => Promise<T>): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    await sql`select from statuses where id = ${statusId} for update`.execute(tx)
    return work()
  })
}

test('the first request of a user who returns after a long time gets the complete feeds', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await follow(alice, bob)
  await follow(alice, carol)
  const list = await createList(alice, [bob])
  const [first, own] = [await post(bob, 'one'), await post(alice, 'mine')]
  assert.equal(await countEntries(alice), 3)
  await becomeInactive(alice)
  assert.equal(await countEntries(alice), 0)
  const [second, other] = [await post(bob, 'two'), await post(carol, 'three')]
  assert.equal(await countEntries(alice), 0)

  const home = [200, [other, second, own, first]]
  let responses: unknown[] = []
  // A slow machine may take longer than the limit of a request.
  for (let tries = 0; tries < 5 && !isDeepStrictEqual(responses[0], home); tries += 1) {
    await becomeInactive(alice)
    responses = await Promise.all([read(alice), read(alice), read(alice, `list/${list}`)])
  }
  assert.deepEqual(responses, [home, home, [200, [second, first]]])
  const third = await post(bob, 'three')
  assert.deepEqual(await read(alice), [200, [third, other, second, own, first]])
})

test('one job does a rebuild that takes long, and every response until its end is 206', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await follow(alice, bob)
  const list = await createList(alice, [bob])
  await becomeInactive(alice)
  const first = await post(bob, 'one')

  const jobCount = await countRebuildJobs()
  await whileRebuildsWait(first, async () => {
    assert.deepEqual(await read(alice), [206, []])
    assert.deepEqual(await read(alice, `list/${list}`), [206, []])
    const readings = [read(alice), read(alice), read(alice, `list/${list}`)]
    for (const response of await Promise.all(readings)) assert.deepEqual(response, [206, []])
  })
  assert.equal(await countRebuildJobs(), jobCount + 1)
  const second = await post(bob, 'during the rebuild')
  assert.deepEqual(await read(alice), [206, [second]])
  for (let n = 0; n < 2; n += 1) await rebuildFeeds(ctx, { accountId: alice.accountId })
  assert.deepEqual(await read(alice), [200, [second, first]])
  assert.deepEqual(await read(alice, `list/${list}`), [200, [second, first]])
  assert.equal(await countRebuildJobs(), jobCount + 1)
})

test('feeds that are not pruned yet are rebuilt too when their user returns after a long time', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await follow(alice, bob)
  const first = await post(bob, 'before')
  await setLastSeen(alice, 31)
  const second = await post(bob, 'while she was away')
  assert.deepEqual(await readComplete(alice), [200, [second, first]])
})

test('rebuilt feeds contain each status that is eligible now once', async () => {
  const alice = await testServer.createUser()
  const [bob, carol, muted, listed] = await Promise.all([1, 2, 3, 4].map(() => testServer.createUser()))
  for (const one of [bob!, carol!, muted!, listed!]) await follow(alice, one)
  const list = await createList(alice, [listed!], { exclusive: true })
  await becomeInactive(alice)
  const question = await post(await testServer.createUser(), 'asked by an unrelated account')
  const plain = await post(bob!, 'one')
  await post(bob!, 'a reply to an unrelated account', { in_reply_to_id: question })
  const reply = await post(bob!, 'a reply', { in_reply_to_id: await post(carol!, 'asked') })
  const direct = await post(bob!, `for @${alice.username}`, { visibility: 'direct' })
  await post(bob!, `for @${carol!.username}`, { visibility: 'direct' })
  await post(muted!, 'unheard')
  const ofListed = await post(listed!, 'on the list')
  for (const one of [bob!, carol!]) await one.client.post(`/api/v1/statuses/${question}/reblog`)
  // The user is back, but has not read a timeline.
  await alice.client.post(`/api/v1/accounts/${muted!.accountId}/mute`)
  const [status, ids] = await readComplete(alice)
  assert.equal(status, 200)
  const shown = await alice.client.get<Status[]>('/api/v1/timelines/home?limit=40')
  const reblogs = shown.body.filter(({ reblog }) => reblog !== null)
  assert.deepEqual(
    reblogs.map(({ account, reblog }) => [account.id, reblog!.id]),
    [[bob!.accountId, question]],
  )
  assert.deepEqual(
    [plain, reply, direct].filter((id) => !ids.includes(id)),
    [],
  )
  assert.equal(ids.length, 5)
  assert.deepEqual(await read(alice, `list/${list}`), [200, [ofListed]])
})

test('a rebuild uses the newest 400 statuses of each author, and a feed has at most 800 entries', async () => {
  const [alice, bob, carol, dora] = await Promise.all([1, 2, 3, 4].map(() => testServer.createUser()))
  for (const one of [bob!, carol!, dora!]) await follow(alice!, one)
  await becomeInactive(alice!)
  const insertStatuses = async (user: TestUser, count: number) => {
    const { rows } = await sql<{ id: string }>`
      insert into statuses (account_id, uri, url, visibility)
      select ${user.accountId}, gen_random_uuid()::text, '', 'public' from generate_series(1, ${count}::int)
      returning id`.execute(ctx.db)
    return rows.map(({ id }) => id)
  }
  const bobs = await insertStatuses(bob!, 450)
  await insertStatuses(alice!, 10)
  const carols = await insertStatuses(carol!, 300)
  const doras = await insertStatuses(dora!, 200)
  await readComplete(alice!)
  const { rows } = await sql<{ id: string }>`
    select status_id as id from feed_entries where account_id = ${alice!.accountId} order by status_id`.execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  assert.equal(ids.length, 800)
  assert.deepEqual(ids.slice(-500), [...carols, ...doras])
  assert.deepEqual(ids.slice(0, 290), bobs.slice(-290))
  const newer = await insertStatuses(bob!, 30)
  for (const statusId of newer) await fanOutStatuses(ctx, [{ statusId }])
  assert.equal(await countEntries(alice!), 830)
  await pruneFeeds(ctx)
  const pages = await walkPages(alice!.client, '/api/v1/timelines/home?limit=40')
  assert.deepEqual(pages.flat(), [...newer.toReversed(), ...ids.toReversed().slice(0, 770)])
})

test('a user who was active in the last thirty days keeps the feeds, and activity is recorded', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await follow(alice, bob)
  const id = await post(bob, 'one')
  await becomeInactive(alice, 29)
  assert.deepEqual(await read(alice), [200, [id]])
  const { rows } = await sql<{ fresh: boolean }>`
    select last_seen_at > now() - interval '1 hour' as fresh from users where id = ${alice.userId}`.execute(ctx.db)
  assert.deepEqual(rows, [{ fresh: true }])
  await pruneInactiveFeeds(ctx)
  assert.deepEqual(await read(alice), [200, [id]])
  await becomeInactive(alice)
  await becomeInactive(alice)
  assert.equal(await countEntries(alice), 0)
  const missed = await post(bob, 'two')
  // Feeds are pruned also for a user who became inactive before the end of a rebuild.
  await whileRebuildsWait(missed, async () => assert.equal((await read(alice))[0], 206))
  await becomeInactive(alice)
  await rebuildFeeds(ctx, { accountId: alice.accountId })
  assert.equal(await countEntries(alice), 0)
  assert.deepEqual(await readComplete(alice), [200, [missed, id]])
})
