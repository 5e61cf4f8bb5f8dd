import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus, uniqueName } from '../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import { blockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { countReadRowsOfWrites } from '../../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Notification } from '../../../entities/notifications/notification.ts'
import type { DomainBlockSettings } from '../../domain-blocks/set-domain-block.ts'
import { recordFollowAccept } from '../follows/answered-requests.ts'
import { recordRemoteFollow } from '../follows/record-remote-follow.ts'
import { severSuspendedDomain } from './sever-suspended-domain.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

async function setBlock(domain: string, severity: DomainBlockSettings['severity'] = 'suspend'): Promise<void> {
  await blockDomainAsStaff(ctx, domain, { severity })
  await testServer.waitForJobs()
}

/** Creates an account of a domain; `host` is the host of its id. */
const createRemote = (domain: string, host = domain) => {
  const name = uniqueName('guest')
  return createRemoteAccount(ctx, { handle: { username: name, domain }, uri: `https://${host}/users/${name}` })
}

const recordFollow = (accountId: string, { accountId: targetAccountId }: TestUser) =>
  ctx.write((tx) =>
    recordRemoteFollow(tx, { accountId, targetAccountId, uri: `https://any.test/follows/${uniqueName()}` }),
  )

async function followAndAccept({ client, accountId }: TestUser, id: string): Promise<void> {
  await client.post(`/api/v1/accounts/${id}/follow`)
  await ctx.write((tx) => recordFollowAccept(tx, { accountId, targetAccountId: id }))
}

async function counters(id: string): Promise<[followers: number, following: number]> {
  const { body } = await testServer.anonymous.get(`/api/v1/accounts/${id}`)
  return [body.followers_count, body.following_count]
}

async function notifications({ client }: TestUser): Promise<Notification[]> {
  await testServer.waitForJobs()
  const { body } = await client.get('/api/v1/notifications')
  for (const one of body) assertEntity('Notification', one)
  return body
}

/** Returns the number of deliveries to the suspended servers. */
const countDeliveries = async () =>
  (await sql`select from deliveries where domain like '%bad.test'`.execute(ctx.db)).rows.length

const home = async ({ client }: TestUser) =>
  (await client.get('/api/v1/timelines/home')).body.map(({ id }: { id: string }) => id)

test('a suspended domain loses follows in both directions, and local users are notified of how many they lost', async () => {
  const [alice, bob, shy] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser({ locked: true }),
  ]
  const [friend, fan, otherHandle, spared, other] = [
    await createRemote('bad.test'),
    await createRemote('deep.bad.test'),
    await createRemote('innocent.test', 'www.bad.test'),
    await createRemote('spared.bad.test'),
    await createRemote('notbad.test'),
  ]
  await setBlock('spared.bad.test', 'noop')
  for (const id of [friend, otherHandle, spared, other]) await followAndAccept(alice, id)
  await followAndAccept(bob, other)
  for (const id of [fan, spared, other]) await recordFollow(id, alice)
  await recordFollow(fan, shy)
  await bob.client.post(`/api/v1/accounts/${friend}/follow`)
  await testServer.waitForJobs()
  const posts = await Promise.all([friend, other].map((accountId) => createRemoteStatus(ctx, { accountId })))
  await testServer.waitForJobs()
  assert.deepEqual(new Set(await home(alice)), new Set(posts))

  // A limited domain retains its follows.
  await setBlock('bad.test', 'silence')
  assert.deepEqual(await counters(alice.accountId), [3, 4])
  const before = await countDeliveries()
  await setBlock('bad.test')
  const all = await Promise.all([alice.accountId, friend, fan, otherHandle, spared, other].map(counters))
  assert.deepEqual(all, [
    [2, 2],
    [0, 0],
    [0, 0],
    [0, 0],
    [1, 1],
    [2, 1],
  ])
  const { body } = await alice.client.get('/api/v1/accounts/relationships', {
    id: [friend, fan, spared],
    with_suspended: 'true',
  })
  assert.deepEqual(
    body.map((one: { following: boolean; followed_by: boolean }) => [one.following, one.followed_by]),
    [
      [false, false],
      [false, false],
      [true, true],
    ],
  )
  assert.deepEqual((await shy.client.get('/api/v1/follow_requests')).body, [])
  assert.equal(
    (await bob.client.get(`/api/v1/accounts/relationships?with_suspended=true&id[]=${friend}`)).body[0].requested,
    false,
  )
  assert.deepEqual(await home(alice), [posts[1]])

  const [latest, ...earlier] = await notifications(alice)
  assert.deepEqual(
    earlier.map(({ type }) => type),
    ['follow', 'follow'],
  )
  assert.deepEqual([latest!.type, latest!.account.id], ['severed_relationships', alice.accountId])
  const { id: _id, created_at: _at, ...event } = latest!.event!
  assert.deepEqual(event, {
    type: 'domain_block',
    purged: false,
    target_name: 'bad.test',
    followers_count: 1,
    following_count: 2,
  })
  // Follow requests and losses of other users cause no notification.
  assert.deepEqual([await notifications(bob), await notifications(shy)], [[], []])
  assert.equal(await countDeliveries(), before)
})

test('a domain that is suspended again causes another notification, with the new losses only', async () => {
  const alice = await testServer.createUser()
  const follow = async (count: number) => {
    for (let n = 0; n < count; n += 1) await recordFollow(await createRemote('again.test'), alice)
  }
  await follow(3)
  await setBlock('again.test')
  await setBlock('again.test')
  await setBlock('again.test', 'noop')
  await follow(1)
  await setBlock('again.test')
  const followersLost = (await notifications(alice)).map(({ event }) => event?.followers_count)
  assert.deepEqual(followersLost, [1, 3])
})

test('VI4 a follow that ends while it is being notified leaves no notification', async () => {
  const alice = await testServer.createUser()
  for (let round = 0; round < 5; round += 1) {
    const guests = await Promise.all(Array.from({ length: 10 }, () => createRemote('rush.test')))
    await Promise.all(guests.map((id) => recordFollow(id, alice)))
    await setBlock('rush.test')
    await setBlock('rush.test', 'noop')
  }
  const received = await notifications(alice)
  assert.deepEqual(new Set(received.map(({ type }) => type)), new Set(['severed_relationships']))
  assert.deepEqual(await counters(alice.accountId), [0, 0])
})

test('the follows of a suspended domain are found without reading all accounts or follows', async () => {
  const alice = await testServer.createUser()
  const followed = await createRemote('rows.test')
  await followAndAccept(alice, followed)
  await sql`with added as (
      insert into accounts (username, domain, uri, url)
      select 'crowd' || n, 'crowd.test', 'https://crowd.test/' || n, '' from generate_series(1, 3000) n returning id
    ), counted as (insert into account_stats (account_id) select id from added)
    insert into follows (account_id, target_account_id)
    select id, lead(id) over (order by id) from added order by id limit 1500`.execute(ctx.db)
  await sql`analyze accounts, follows`.execute(ctx.db)
  await setBlock('rows.test')
  for (const table of ['accounts', 'follows']) {
    const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table })
    await severSuspendedDomain(counting, { domain: 'rows.test', at: Date.now() })
    assert.ok(Math.max(...rowsOfWrites) < 100, `${table}: ${rowsOfWrites.join()}`)
  }
  assert.deepEqual((await counters(alice.accountId))[1], 0)
})

test('the follows of a suspended domain with many accounts are found, too', async () => {
  const alice = await testServer.createUser()
  await sql`with added as (
      insert into accounts (username, domain, uri, url)
      select 'many' || n, 'many.test', 'https://many.test/' || n, '' from generate_series(1, 600) n returning id
    ), counted as (insert into account_stats (account_id) select id from added)
    insert into follows (account_id, target_account_id) select id, ${alice.accountId}::bigint from added`.execute(
    ctx.db,
  )
  await setBlock('many.test')
  const { rows } = await sql`select from follows where target_account_id = ${alice.accountId}`.execute(ctx.db)
  assert.equal(rows.length, 0)
})
