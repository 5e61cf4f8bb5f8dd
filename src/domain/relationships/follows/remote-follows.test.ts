import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import {
  HOST,
  createRemoteAccount,
  createRemoteStatus,
  uniqueName,
} from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { blockAccount } from '../blocks/block-account.ts'
import { authorizeFollowRequest } from './follow-requests.ts'
import { recordFollowAccept, recordFollowReject } from './answered-requests.ts'
import { recordRemoteFollow } from './record-remote-follow.ts'
import { removeFollower } from './remove-follower.ts'
import { unblockAccount } from '../blocks/unblock-account.ts'
import { unfollowAccount } from './unfollow-account.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false })
after(testServer.close)
const { ctx } = testServer

interface EmittedEvent {
  name: string
  uri: string | null
  [key: string]: unknown
}

/** Returns the events that the transaction emits, in order. */
async function emittedBy(work: (write: typeof ctx.write) => Promise<unknown>): Promise<EmittedEvent[]> {
  const events: EmittedEvent[] = []
  await work((operation) =>
    ctx.write((tx) =>
      operation({
        ...tx,
        emit: (name, payload) => {
          events.push({ name, ...payload } as EmittedEvent)
          tx.emit(name, payload)
        },
      }),
    ),
  )
  return events
}

const relationshipWith = async (user: TestUser, id: string) => {
  const { body } = await user.client.get('/api/v1/accounts/relationships', { id: [id] })
  const { following, requested, followed_by, requested_by, blocked_by } = body[0]
  return { following, requested, followed_by, requested_by, blocked_by }
}
const NO_RELATIONSHIP = {
  following: false,
  requested: false,
  followed_by: false,
  requested_by: false,
  blocked_by: false,
}

async function countersOf(id: string): Promise<[followers: number, following: number]> {
  const row = await ctx.db
    .selectFrom('account_stats')
    .selectAll()
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow()
  return [row.followers_count, row.following_count]
}

const recordFollow = (accountId: string, targetAccountId: string, uri: string | null) =>
  ctx.write((tx) => recordRemoteFollow(tx, { accountId, targetAccountId, uri }))

async function uriOf(table: 'follows' | 'follow_requests', accountId: string): Promise<string | null | undefined> {
  const row = await ctx.db.selectFrom(table).select('uri').where('account_id', '=', accountId).executeTakeFirst()
  return row?.uri
}

test('IN18 a follow of a remote account is shown as accepted, but gives no access to private statuses until it is', async () => {
  const [alice, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const secret = await createRemoteStatus(ctx, { accountId: remote, visibility: 'private' })
  const { body } = await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  assert.deepEqual([body.following, body.requested], [true, false])
  assert.deepEqual(await relationshipWith(alice, remote), { ...NO_RELATIONSHIP, requested: true })
  const fetchStatus = async () => (await alice.client.get(`/api/v1/statuses/${secret}`)).status
  assert.equal(await fetchStatus(), 404)
  const uri = (await uriOf('follow_requests', alice.accountId))!
  assert.match(uri, /^https:\/\/linnet\.test\/follows\/[0-9a-f-]{36}$/)

  const pair = { accountId: alice.accountId, targetAccountId: remote }
  const accept = (requestUri?: string) => ctx.write((tx) => recordFollowAccept(tx, { ...pair, uri: requestUri }))
  assert.equal(await accept(`${HOST}/another`), false)
  assert.equal(await fetchStatus(), 404)
  assert.equal(await accept(uri), true)
  assert.equal(await accept(uri), false)
  assert.deepEqual(await relationshipWith(alice, remote), { ...NO_RELATIONSHIP, following: true })
  assert.deepEqual(
    [await fetchStatus(), await countersOf(alice.accountId), await countersOf(remote)],
    [200, [0, 1], [1, 0]],
  )

  const events = await emittedBy((write) => write((tx) => recordFollowReject(tx, { ...pair, uri })))
  assert.deepEqual(events, [{ name: 'account.unfollowed', ...pair, uri: null }])
  assert.deepEqual([await fetchStatus(), await relationshipWith(alice, remote)], [404, NO_RELATIONSHIP])
  assert.deepEqual(
    [await countersOf(alice.accountId), await countersOf(remote)],
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test("IN17 a remote accept without a matching request creates no follow: none, another account's, a withdrawn one", async () => {
  const [alice, remote, other] = [
    await testServer.createUser(),
    await createRemoteAccount(ctx),
    await createRemoteAccount(ctx),
  ]
  const accept = (targetAccountId: string, uri?: string) =>
    ctx.write((tx) => recordFollowAccept(tx, { accountId: alice.accountId, targetAccountId, uri }))
  assert.equal(await accept(remote), false)
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  const uri = (await uriOf('follow_requests', alice.accountId))!
  assert.equal(await accept(other, uri), false)
  await alice.client.post(`/api/v1/accounts/${remote}/unfollow`)
  assert.equal(await accept(remote, uri), false)
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  assert.equal(await accept(remote, uri), false)
  assert.deepEqual(await relationshipWith(alice, remote), { ...NO_RELATIONSHIP, requested: true })
})

test('ending a follow or request emits the id of its Follow activity for the remote server', async () => {
  const [alice, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const pair = { accountId: alice.accountId, targetAccountId: remote }
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  const requestUri = (await uriOf('follow_requests', alice.accountId))!
  assert.deepEqual(await emittedBy((write) => write((tx) => unfollowAccount(tx, pair))), [
    { name: 'account.unfollowed', ...pair, uri: requestUri },
  ])
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  await ctx.write((tx) => recordFollowAccept(tx, pair))
  const secondUri = (await uriOf('follows', alice.accountId))!
  assert.notEqual(secondUri, requestUri)
  assert.deepEqual(await emittedBy((write) => write((tx) => unfollowAccount(tx, pair))), [
    { name: 'account.unfollowed', ...pair, uri: secondUri },
  ])
})

test('a remote follow is accepted at once, or requested if the account is locked, and every repetition is answered', async () => {
  const [unlocked, locked] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  const remote = await createRemoteAccount(ctx)
  const uris = Array.from({ length: 4 }, () => `${HOST}/follows/${uniqueName()}`)
  const pair = { accountId: remote, targetAccountId: unlocked.accountId }
  const first = await emittedBy((write) => write((tx) => recordRemoteFollow(tx, { ...pair, uri: uris[0]! })))
  assert.deepEqual(
    first.map(({ name, uri }) => [name, uri]),
    [
      ['account.followed', undefined],
      ['follow.accepted', uris[0]],
    ],
  )
  assert.deepEqual(await emittedBy((write) => write((tx) => recordRemoteFollow(tx, { ...pair, uri: uris[1]! }))), [
    { name: 'follow.accepted', ...pair, uri: uris[1] },
  ])
  assert.equal(await uriOf('follows', remote), uris[1])
  assert.deepEqual(await countersOf(unlocked.accountId), [1, 0])

  assert.equal(await recordFollow(remote, locked.accountId, uris[2]!), 'requested')
  assert.deepEqual(await relationshipWith(locked, remote), { ...NO_RELATIONSHIP, requested_by: true })
  const requestPair = { accountId: remote, targetAccountId: locked.accountId }
  const answer = { accountId: locked.accountId, requesterId: remote }
  assert.deepEqual(await emittedBy((write) => write((tx) => authorizeFollowRequest(tx, answer))), [
    { name: 'account.followed', ...requestPair },
    { name: 'follow.accepted', ...requestPair, uri: uris[2] },
  ])
  assert.equal(await recordFollow(remote, locked.accountId, uris[3]!), 'following')
})

test('a remote follow of an account that blocks the follower or has moved is rejected, and the server is notified', async () => {
  const [blocker, moved, remote] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await createRemoteAccount(ctx),
  ]
  await blocker.client.post(`/api/v1/accounts/${remote}/block`)
  await sql`update accounts set moved_to_account_id = ${blocker.accountId} where id = ${moved.accountId}`.execute(
    ctx.db,
  )
  for (const { accountId: targetAccountId } of [blocker, moved]) {
    const uri = `${HOST}/follows/${uniqueName()}`
    const events = await emittedBy((write) =>
      write((tx) => recordRemoteFollow(tx, { accountId: remote, targetAccountId, uri })),
    )
    assert.deepEqual(events, [{ name: 'follow.rejected', accountId: remote, targetAccountId, uri }])
  }
})

test('FP6 a follow or block whose undo arrived before it has no effect; a later one does', async () => {
  const [alice, remote, other] = [
    await testServer.createUser(),
    await createRemoteAccount(ctx),
    await createRemoteAccount(ctx),
  ]
  const pair = { accountId: remote, targetAccountId: alice.accountId }
  const [follow, block] = [`${HOST}/follows/${uniqueName()}`, `${HOST}/blocks/${uniqueName()}`]
  await ctx.write((tx) => unfollowAccount(tx, { ...pair, uri: follow }))
  assert.equal(await recordFollow(remote, alice.accountId, follow), 'undone')
  // An undo does not affect the activities of another account.
  assert.equal(await recordFollow(other, alice.accountId, follow), 'following')
  assert.equal(await recordFollow(remote, alice.accountId, `${HOST}/follows/${uniqueName()}`), 'following')

  await ctx.write((tx) => unblockAccount(tx, { ...pair, uri: block }))
  await ctx.write((tx) => blockAccount(tx, { ...pair, uri: block }))
  assert.equal((await relationshipWith(alice, remote)).blocked_by, false)
  await ctx.write((tx) => blockAccount(tx, { ...pair, uri: `${HOST}/blocks/${uniqueName()}` }))
  assert.deepEqual(await relationshipWith(alice, remote), { ...NO_RELATIONSHIP, blocked_by: true })
  await ctx.write((tx) => unblockAccount(tx, pair))
  assert.deepEqual(await relationshipWith(alice, remote), NO_RELATIONSHIP)
})

test('FP1 a block of a remote account ends follows in both directions, and emits one event for each', async () => {
  const [alice, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const pair = { accountId: alice.accountId, targetAccountId: remote }
  const back = { accountId: remote, targetAccountId: alice.accountId }
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  await ctx.write((tx) => recordFollowAccept(tx, pair))
  const [ownUri, remoteUri] = [(await uriOf('follows', alice.accountId))!, `${HOST}/follows/${uniqueName()}`]
  await recordFollow(remote, alice.accountId, remoteUri)
  const events = await emittedBy((write) => write((tx) => blockAccount(tx, pair)))
  assert.deepEqual(
    events.toSorted((a, b) => a.name.localeCompare(b.name)),
    [
      { name: 'account.blocked', ...pair },
      { name: 'account.unfollowed', ...pair, uri: ownUri },
      { name: 'follow.rejected', ...back, uri: remoteUri },
    ],
  )
  const [block] = await ctx.db.selectFrom('blocks').select('uri').where('account_id', '=', alice.accountId).execute()
  assert.match(block!.uri!, /^https:\/\/linnet\.test\/blocks\//)
  const lifted = await emittedBy((write) => write((tx) => unblockAccount(tx, pair)))
  assert.deepEqual(lifted, [{ name: 'account.unblocked', ...pair, uri: block!.uri }])
  assert.deepEqual(
    [await countersOf(alice.accountId), await countersOf(remote)],
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test('a remote follower can be removed, and the limit of follows does not apply to remote followers', async () => {
  const [alice, remote] = [await testServer.createUser(), await createRemoteAccount(ctx, { followingCount: 90_000 })]
  const uri = `${HOST}/follows/${uniqueName()}`
  assert.equal(await recordFollow(remote, alice.accountId, uri), 'following')
  const pair = { accountId: remote, targetAccountId: alice.accountId }
  const events = await emittedBy((write) =>
    write((tx) => removeFollower(tx, { accountId: alice.accountId, followerId: remote })),
  )
  assert.deepEqual(events, [
    { name: 'account.unfollowed', ...pair, uri: null },
    { name: 'follow.rejected', ...pair, uri },
  ])
  assert.deepEqual(await countersOf(alice.accountId), [0, 0])
})

test('the deprecated follow endpoint takes the handle of a known or locked account, with spaces and an @', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  const name = uniqueName('known')
  const remote = await createRemoteAccount(ctx, { handle: { username: name, domain: 'far.test' } })
  const follow = (uri?: string) => alice.client.post('/api/v1/follows', uri === undefined ? {} : { uri })
  for (const [uri, id] of [
    [` @${bob.username} `, bob.accountId],
    [`${bob.username}@linnet.test`, bob.accountId],
    [`${name.toUpperCase()}@FAR.test`, remote],
  ] as const) {
    const { status, body } = await follow(uri)
    assert.deepEqual([status, body.id], [200, id])
  }
  for (const uri of [undefined, '', '  ', '@', 'nobody_at_all', 'no handle'])
    assert.equal((await follow(uri)).status, 404)
  assert.equal((await relationshipWith(alice, bob.accountId)).requested, true)
})
