import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createUsers } from '../../../../test/servers/create-users.ts'
import { listenAs, eventsReceived } from '../../../../test/streaming/record-events.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { openStreamingServer } from '../../../../test/streaming/streams.ts'
import { untilLockWaits } from '../../../../test/features/lock-waits.ts'
import { limit } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { List } from '../../../entities/accounts/list.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { fanOutStatuses } from './fan-out-statuses.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
const { ctx } = testServer
const { origin, close } = await openStreamingServer(ctx)
after(async () => {
  await close()
  await testServer.close()
})

const createTestUsers = (n: number) => Promise.all(Array.from({ length: n }, () => testServer.createUser()))

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await user.client.post<Status>('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200, JSON.stringify(body))
  return body.id
}

/** Reblogs a status when it is in all feeds: statuses of different requests may reach a feed in another order. */
async function reblog(user: TestUser, id: string): Promise<string> {
  await testServer.waitForJobs()
  const { body } = await user.client.post<Status>(`/api/v1/statuses/${id}/reblog`)
  await testServer.waitForJobs()
  return body.id
}

async function act(user: TestUser, action: string, other: TestUser, options: object = {}): Promise<void> {
  const { status, body } = await user.client.post(`/api/v1/accounts/${other.accountId}/${action}`, options)
  assert.equal(status, 200, JSON.stringify(body))
}

async function read(user: TestUser, timeline = 'home'): Promise<string[]> {
  await testServer.waitForJobs()
  const { status, body } = await user.client.get<Status[]>(`/api/v1/timelines/${timeline}?limit=40`)
  assert.equal(status, 200)
  return body.map(({ id }) => id)
}

async function createList(owner: TestUser, ...members: TestUser[]): Promise<string> {
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'A list' })
  const response = await owner.client.post(`/api/v1/lists/${body.id}/accounts`, {
    account_ids: members.map((one) => one.accountId),
  })
  assert.equal(response.status, 200)
  await testServer.waitForJobs()
  return body.id
}

test('a followed hashtag adds the public statuses with it to the home feed, and no others', async () => {
  const [alice, bob] = (await createTestUsers(2)) as [TestUser, TestUser]
  await alice.client.post('/api/v1/tags/gardens/follow')
  const first = await post(bob, 'My #Gardens')
  const both = await post(bob, 'More #trees and #gardens')
  const reply = await post(bob, 'and #gardens', { in_reply_to_id: first })
  for (const visibility of ['unlisted', 'private', 'direct']) await post(bob, 'Hidden #gardens', { visibility })
  await post(bob, 'Only #trees')
  await reblog(bob, both)
  assert.deepEqual(await read(alice), [reply, both, first])
  const own = await post(alice, 'My own #gardens')
  assert.deepEqual(await read(alice), [own, reply, both, first])
  await alice.client.post('/api/v1/tags/trees/follow')
  await alice.client.post('/api/v1/tags/gardens/unfollow')
  assert.deepEqual(await read(alice), [own, both])
  const after = await post(bob, 'After all #gardens')
  assert.ok(!(await read(alice)).includes(after))
})

test('a followed hashtag adds no statuses of blocked, muted, blocking or limited accounts, or of a blocked domain', async () => {
  const alice = await testServer.createUser()
  const [blocked, muted, blocking, silenced, friend] = (await createTestUsers(5)) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ]
  await alice.client.post('/api/v1/tags/rivers/follow')
  await act(alice, 'block', blocked)
  await act(alice, 'mute', muted)
  await act(blocking, 'block', alice)
  await limit(ctx, silenced)
  await alice.client.post('/api/v1/domain_blocks', { domain: 'bad.test' })
  for (const one of [blocked, muted, blocking, silenced]) await post(one, 'Wide #rivers')
  for (const host of ['bad.test', 'deep.bad.test', 'good.test']) {
    const accountId = await createRemoteAccount(ctx, {
      handle: { username: 'guest', domain: host },
      uri: `https://${host}/guest`,
    })
    const hashtags = new Map([['rivers', 'rivers']])
    await createRemoteStatus(ctx, { accountId, uri: `https://${host}/1`, hashtags, publishedAt: new Date() })
  }
  await post(friend, `Wide #rivers, says @${muted.username}`)
  const visible = await post(friend, 'Long #rivers')
  const [newest, remote, ...others] = await read(alice)
  assert.deepEqual([newest, others], [visible, []])
  const { body } = await alice.client.get<Status>(`/api/v1/statuses/${remote}`)
  assert.equal(body.account.acct, 'guest@good.test')
  const { rows } = await sql`select from feed_entries where account_id = ${alice.accountId}`.execute(ctx.db)
  assert.equal(rows.length, 2)
})

test('a status reaches no followers of a hashtag that it loses during the fan-out', async () => {
  const [alice, author] = (await createTestUsers(2)) as [TestUser, TestUser]
  const id = await post(author, 'vast #prairies')
  assert.deepEqual(await read(author), [id])
  await alice.client.post('/api/v1/tags/prairies/follow')
  let fanOut: Promise<void> | undefined
  await ctx.write(async ({ db }) => {
    await sql`select from statuses where id = ${id} for update`.execute(db)
    fanOut = fanOutStatuses(ctx, [{ statusId: id }])
    await untilLockWaits(testServer, 1)
    await sql`delete from status_tags where status_id = ${id}`.execute(db)
  })
  await fanOut
  assert.deepEqual(await read(alice), [])
})

test('statuses of a followed hashtag are published to the user stream once, and so is their deletion', async () => {
  const [alice, bob, carol] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  await alice.client.post('/api/v1/tags/bridges/follow')
  await act(carol, 'follow', bob)
  await carol.client.post('/api/v1/tags/bridges/follow')
  await testServer.waitForJobs()
  const sockets = await listenAs(origin, { users: { alice, bob, carol }, streams: ['user'] })
  const id = await post(bob, 'Old #bridges and #bridges')
  const once = [`user update ${id}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), { alice: once, bob: once, carol: once })
  await bob.client.delete(`/api/v1/statuses/${id}`)
  const deleted = [`user delete ${id}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), { alice: deleted, bob: deleted, carol: deleted })
})

test('the languages and reblogs options of a follow apply to the home feed and to lists', async () => {
  const [alice, bob, carol] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  await act(alice, 'follow', bob, { languages: ['de', 'fr'], reblogs: false })
  const list = await createList(alice, bob)
  const [german] = [await post(bob, 'Guten Tag', { language: 'de' }), await post(bob, 'Hello', { language: 'en' })]
  await reblog(bob, await post(carol, 'Bonjour', { language: 'fr' }))
  assert.deepEqual([await read(alice), await read(alice, `list/${list}`)], [[german], [german]])
  await act(alice, 'follow', bob, { reblogs: true })
  const reblogged = await reblog(bob, await post(carol, 'Salut', { language: 'fr' }))
  await reblog(bob, await post(carol, 'Ciao', { language: 'it' }))
  assert.deepEqual(
    [await read(alice), await read(alice, `list/${list}`)],
    [
      [reblogged, german],
      [reblogged, german],
    ],
  )
  // Existing entries stay if the options of the follow change.
  await act(alice, 'follow', bob, { reblogs: false })
  await reblog(bob, await post(carol, 'Adieu', { language: 'fr' }))
  assert.deepEqual(await read(alice), [reblogged, german])
})

test('a second reblog of a recent status is left out of home feeds and lists, unless the user does not aggregate reblogs', async () => {
  const [alice, unaggregated, bob, carol, dora] = (await createTestUsers(5)) as [
    TestUser,
    TestUser,
    TestUser,
    TestUser,
    TestUser,
  ]
  await ctx.db.updateTable('users').set({ aggregate_reblogs: false }).where('id', '=', unaggregated.userId).execute()
  const lists: string[] = []
  for (const reader of [alice, unaggregated]) {
    for (const one of [bob, carol]) await act(reader, 'follow', one)
    lists.push(await createList(reader, bob, carol))
  }
  const id = await post(dora, 'worth it')
  const [first, second] = [await reblog(bob, id), await reblog(carol, id)]
  assert.deepEqual([await read(alice), await read(alice, `list/${lists[0]}`)], [[first], [first]])
  assert.deepEqual(
    [await read(unaggregated), await read(unaggregated, `list/${lists[1]}`)],
    [
      [second, first],
      [second, first],
    ],
  )
  // The other reblog is shown once the first one is undone.
  await bob.client.post(`/api/v1/statuses/${id}/unreblog`)
  assert.deepEqual([await read(alice), await read(alice, `list/${lists[0]}`)], [[second], [second]])
  assert.deepEqual(await read(unaggregated), [second])
  // After forty other statuses, the original may be repeated.
  await carol.client.post(`/api/v1/statuses/${id}/unreblog`)
  const early = await reblog(bob, id)
  for (let n = 0; n < 40; n += 1) await post(carol, `number ${n}`)
  await testServer.waitForJobs()
  const late = await reblog(carol, id)
  assert.deepEqual([(await read(alice))[0], (await read(alice, `list/${lists[0]}`))[0]], [late, late])
  const { rows } = await sql<{ id: string }>`
    select status_id as id from feed_entries where account_id = ${alice.accountId} and original_id = ${id}
    order by status_id`.execute(ctx.db)
  assert.deepEqual(
    rows.map((row) => row.id),
    [early, late],
  )
})

test('a user’s own reblog of a recent status is left out of their home feed, and replaces the entry when that is removed', async () => {
  const [alice, bob, carol] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  await act(alice, 'follow', bob)
  const id = await post(bob, 'worth it')
  await reblog(alice, id)
  assert.deepEqual(await read(alice), [id])
  const otherId = await post(carol, 'from afar')
  const reblogged = await reblog(bob, otherId)
  const own = await reblog(alice, otherId)
  assert.deepEqual(await read(alice), [reblogged, id])
  await bob.client.post(`/api/v1/statuses/${otherId}/unreblog`)
  assert.deepEqual(await read(alice), [own, id])
  await ctx.db.updateTable('users').set({ aggregate_reblogs: false }).where('id', '=', alice.userId).execute()
  for (const one of [id, otherId]) await alice.client.post(`/api/v1/statuses/${one}/unreblog`)
  const again = await reblog(alice, id)
  assert.deepEqual(await read(alice), [again, id])
})

test('a reblog of a status that is in thousands of feeds is left out of all of them, and added to all others', async () => {
  const [bob, dora, reader] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  const id = await post(dora, 'known to all')
  await testServer.waitForJobs()
  const crowd = await createUsers(ctx, { prefix: 'crowd', count: 5_100 })
  await sql`insert into follows (account_id, target_account_id)
    select id, ${bob.accountId} from unnest(${crowd}::bigint[]) id`.execute(ctx.db)
  const withOriginal = crowd.slice(0, 5_050)
  await sql`insert into feed_entries (account_id, status_id, original_id)
    select id, ${id}, ${id} from unnest(${withOriginal}::bigint[]) id`.execute(ctx.db)
  await act(reader, 'follow', bob)
  const reblogged = await reblog(bob, id)
  const { rows } = await sql<{ id: string }>`
    select account_id as id from feed_entries where status_id = ${reblogged}`.execute(ctx.db)
  const others = [bob.accountId, reader.accountId, ...crowd.slice(5_050)]
  assert.deepEqual(rows.map((row) => row.id).toSorted(), others.toSorted())
})

test('users who are inactive for thirty days get no entries, and a repeated fan-out adds no second entry', async () => {
  const [alice, bob, carol] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  for (const one of [alice, carol]) {
    await act(one, 'follow', bob)
    await one.client.post('/api/v1/tags/winds/follow')
    await createList(one, bob)
  }
  await sql`update users set last_seen_at = now() - interval '31 days' where id = ${carol.userId}`.execute(ctx.db)
  const id = await post(bob, 'Strong #winds')
  await testServer.waitForJobs()
  await fanOutStatuses(ctx, [{ statusId: id }])
  const { rows } = await sql<{ owner: string }>`
    select account_id as owner from feed_entries where status_id = ${id}
    union all select l.account_id from list_entries e join lists l on l.id = e.list_id
    where e.status_id = ${id}`.execute(ctx.db)
  const byText = (one: string, other: string) => one.localeCompare(other)
  assert.deepEqual(
    rows.map((row) => row.owner).toSorted(byText),
    [alice.accountId, alice.accountId, bob.accountId].toSorted(byText),
  )
})

test('statuses of which one feed contains some already are added to all other feeds', async () => {
  const [alice, bob, carol] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  for (const one of [alice, carol]) await act(one, 'follow', bob)
  const ids = [await post(bob, 'Ebb'), await post(bob, 'Flood')]
  await testServer.waitForJobs()
  await sql`delete from feed_entries where status_id = any(${ids}) and not (account_id = ${alice.accountId} and status_id = ${ids[0]})`.execute(
    ctx.db,
  )
  await fanOutStatuses(
    ctx,
    ids.map((statusId) => ({ statusId })),
  )
  for (const { client } of [alice, bob, carol]) {
    const home = await client.get<{ id: string }[]>('/api/v1/timelines/home')
    assert.deepEqual(
      home.body.map(({ id }) => id),
      ids.toReversed(),
    )
  }
})
