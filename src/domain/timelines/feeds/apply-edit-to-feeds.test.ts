import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { createUsers } from '../../../../test/servers/create-users.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { openStreamingServer } from '../../../../test/streaming/streams.ts'
import { eventsReceived, listenAs } from '../../../../test/streaming/record-events.ts'
import type { List } from '../../../entities/accounts/list.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { applyEditToFeeds } from './apply-edit-to-feeds.ts'
import { FEED_LENGTH } from './entry-position.ts'

const { testServer, peer, deliver, followEachOther, uriOf, close } = await openFediverse({ hosts: ['remote.test'] })
const { ctx } = testServer
const streams = await openStreamingServer(ctx)
after(async () => {
  await streams.close()
  await close()
})

const createTestUsers = (n: number) => Promise.all(Array.from({ length: n }, () => testServer.createUser()))

async function post(user: TestUser, status: string, more: object = {}): Promise<string> {
  const { status: code, body } = await user.client.post<Status>('/api/v1/statuses', { status, ...more })
  assert.equal(code, 200, JSON.stringify(body))
  await testServer.waitForJobs()
  return body.id
}

async function edit(user: TestUser, id: string, status: string, more: object = {}): Promise<void> {
  const { status: code, body } = await user.client.put(`/api/v1/statuses/${id}`, { status, ...more })
  assert.equal(code, 200, JSON.stringify(body))
  await testServer.waitForJobs()
}

async function act(user: TestUser, action: string, other: TestUser, options: object = {}): Promise<void> {
  const { status, body } = await user.client.post(`/api/v1/accounts/${other.accountId}/${action}`, options)
  assert.equal(status, 200, JSON.stringify(body))
  await testServer.waitForJobs()
}

async function createList(owner: TestUser, member: TestUser): Promise<string> {
  const { body } = await owner.client.post<List>('/api/v1/lists', { title: 'A list' })
  await owner.client.post(`/api/v1/lists/${body.id}/accounts`, { account_ids: [member.accountId] })
  await testServer.waitForJobs()
  return body.id
}

async function read(user: TestUser, timeline = 'home'): Promise<string[]> {
  const { status, body } = await user.client.get<Status[]>(`/api/v1/timelines/${timeline}?limit=40`)
  assert.equal(status, 200)
  return body.map(({ id }) => id)
}

test('a status leaves the feeds of readers who block an account that an edit mentions, with its reblogs, and returns without the mention', async () => {
  const [alice, bob, booster, blocked] = (await createTestUsers(4)) as [TestUser, TestUser, TestUser, TestUser]
  for (const one of [bob, booster]) await act(alice, 'follow', one)
  await act(alice, 'block', blocked)
  const list = await createList(alice, bob)
  const [id, other] = [await post(bob, 'hi'), await post(booster, 'unrelated')]
  assert.deepEqual([await read(alice), await read(alice, `list/${list}`)], [[other, id], [id]])
  const sockets = await listenAs(streams.origin, { users: { alice, bob }, streams: ['user'] })
  await edit(bob, id, `hi @${blocked.username}`)
  assert.deepEqual([await read(alice), await read(alice, `list/${list}`)], [[other], []])
  assert.deepEqual(await read(bob), [id])
  assert.deepEqual(await eventsReceived(testServer, sockets), { alice: [], bob: [`user status.update ${id}`] })
  await edit(bob, id, 'hi all')
  assert.deepEqual([await read(alice), await read(alice, `list/${list}`)], [[other, id], [id]])
  const edited = [`user status.update ${id}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), { alice: edited, bob: edited })

  const [author] = (await createTestUsers(1)) as [TestUser]
  const original = await post(author, 'worth it')
  const { body: reblog } = await booster.client.post<Status>(`/api/v1/statuses/${original}/reblog`)
  await testServer.waitForJobs()
  assert.deepEqual(await read(alice), [reblog.id, other, id])
  await edit(author, original, `worth it, @${blocked.username}`)
  assert.deepEqual(await read(alice), [other, id])
  assert.ok((await read(booster)).includes(reblog.id))
})

test('an edit of the language changes the feeds of followers who chose languages', async () => {
  const [alice, anyone, bob] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  await act(alice, 'follow', bob, { languages: ['en'] })
  await act(anyone, 'follow', bob)
  const list = await createList(alice, bob)
  const [english, german] = [await post(bob, 'hello', { language: 'en' }), await post(bob, 'hallo', { language: 'de' })]
  assert.deepEqual([await read(alice), await read(alice, `list/${list}`)], [[english], [english]])
  await edit(bob, english, 'hallo', { language: 'de' })
  await edit(bob, german, 'hello', { language: 'en' })
  assert.deepEqual([await read(alice), await read(alice, `list/${list}`)], [[german], [german]])
  assert.deepEqual(await read(anyone), [german, english])
})

test('an edit of the hashtags changes the home feeds of their followers', async () => {
  const [alice, bob, dora] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  await alice.client.post('/api/v1/tags/lakes/follow')
  await act(alice, 'follow', bob)
  const id = await post(dora, 'deep')
  assert.deepEqual(await read(alice), [])
  const sockets = await listenAs(streams.origin, { users: { alice, dora }, streams: ['user'] })
  await edit(dora, id, 'deep #lakes')
  assert.deepEqual(await read(alice), [id])
  const edited = [`user status.update ${id}`]
  assert.deepEqual(await eventsReceived(testServer, sockets), { alice: edited, dora: edited })
  await edit(dora, id, 'deep')
  assert.deepEqual(await read(alice), [])
  const followed = await post(bob, 'wide #lakes')
  await edit(bob, followed, 'wide')
  assert.deepEqual(await read(alice), [followed])

  const { body: reblog } = await bob.client.post<Status>(`/api/v1/statuses/${id}/reblog`)
  await testServer.waitForJobs()
  await edit(dora, id, 'deep #lakes again')
  assert.deepEqual(await read(alice), [reblog.id, followed])
})

test('an account that an edit of a direct status mentions gets it in the home feed if it follows the author', async () => {
  const [follower, unrelated, bob, dora] = (await createTestUsers(4)) as [TestUser, TestUser, TestUser, TestUser]
  await act(follower, 'follow', bob)
  const id = await post(bob, `for @${dora.username}`, { visibility: 'direct' })
  assert.deepEqual(await read(follower), [])
  await edit(bob, id, `for @${dora.username} @${follower.username} @${unrelated.username}`)
  assert.deepEqual([await read(follower), await read(unrelated)], [[id], []])
})

test('an edit of a remote status changes feeds in the same way', async () => {
  const [alice, blocked] = (await createTestUsers(2)) as [TestUser, TestUser]
  const bob = await peer.host('remote.test').createActor('bob')
  await followEachOther(alice, bob)
  await act(alice, 'block', blocked)
  const note = bob.note()
  await deliver(bob, bob.activity('Create', note, { to: note['to'], cc: note['cc'] }))
  const [id] = await read(alice)
  const update = async (minutes: number, more: object) => {
    const changed = { ...note, updated: new Date(Date.now() + minutes * 60_000).toISOString(), ...more }
    await deliver(bob, bob.activity('Update', changed, { to: note['to'], cc: note['cc'] }))
    await testServer.waitForJobs()
  }
  const mention = { type: 'Mention', href: uriOf(blocked), name: `@${blocked.username}` }
  await update(1, { tag: [mention], cc: [...(note['cc'] as string[]), uriOf(blocked)] })
  assert.deepEqual(await read(alice), [])
  await update(2, { tag: [] })
  assert.deepEqual(await read(alice), [id])
})

test('an edited status is added to no feed whose retained entries are all newer', async () => {
  const [alice, bob, dora] = (await createTestUsers(3)) as [TestUser, TestUser, TestUser]
  await alice.client.post('/api/v1/tags/ages/follow')
  await act(alice, 'follow', bob)
  const id = await post(dora, 'old')
  await sql`insert into feed_entries (account_id, status_id, original_id)
    select ${alice.accountId}, ${id}::bigint + n, ${id}::bigint + n from generate_series(1, ${FEED_LENGTH}::int) n`.execute(
    ctx.db,
  )
  await edit(dora, id, 'old #ages')
  const countEntries = async () => {
    const { rows } = await sql`select from feed_entries where account_id = ${alice.accountId}
      and status_id = ${id}`.execute(ctx.db)
    return rows.length
  }
  assert.equal(await countEntries(), 0)
  await sql`delete from feed_entries where account_id = ${alice.accountId} and status_id = ${id}::bigint + 1`.execute(
    ctx.db,
  )
  for (let n = 0; n < 2; n += 1) await applyEditToFeeds(ctx, { statusId: id, audienceChanged: true })
  assert.equal(await countEntries(), 1)
})

test('an edit changes the feeds of thousands of followers, and no feed if it keeps mentions, hashtags and language', async () => {
  const [bob, unwanted] = (await createTestUsers(2)) as [TestUser, TestUser]
  const crowd = await createUsers(ctx, { prefix: 'reader', count: 2_100 })
  await sql`insert into follows (account_id, target_account_id)
    select id, ${bob.accountId} from unnest(${crowd}::bigint[]) id`.execute(ctx.db)
  await sql`insert into mutes (account_id, target_account_id)
    select id, ${unwanted.accountId} from unnest(${crowd.slice(0, 2_050)}::bigint[]) id`.execute(ctx.db)
  const id = await post(bob, 'for all')
  const countEntries = async () => {
    const { rows } = await sql`select from feed_entries where status_id = ${id}`.execute(ctx.db)
    return rows.length
  }
  assert.equal(await countEntries(), 2_101)
  await edit(bob, id, `for all, @${unwanted.username}`)
  assert.equal(await countEntries(), 51)
  await sql`delete from mutes where target_account_id = ${unwanted.accountId}`.execute(ctx.db)
  await edit(bob, id, `For all, @${unwanted.username}!`)
  assert.equal(await countEntries(), 51)
})
