import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { HOST, makeRemote, makeRemoteStatus, newName } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { blockAccount } from './block.ts'
import { authoriseRequest } from './follow-requests.ts'
import { acceptOwnRequest, rejectOwnRequest } from './own-requests.ts'
import { receiveFollow } from './receive-follow.ts'
import { removeFollower } from './remove-follower.ts'
import { unblockAccount } from './unblock.ts'
import { unfollowAccount } from './unfollow.ts'

const world = await openWorld({ env: { DB_POOL: '10' }, effects: false })
after(world.close)
const { ctx } = world

interface Told {
  name: string
  uri: string | null
  [key: string]: unknown
}

/** What a piece of work tells, in order. */
async function told(work: (write: typeof ctx.write) => Promise<unknown>): Promise<Told[]> {
  const events: Told[] = []
  await work((verb) =>
    ctx.write((tx) =>
      verb({
        ...tx,
        emit: (name, payload) => {
          events.push({ name, ...payload } as Told)
          tx.emit(name, payload)
        },
      }),
    ),
  )
  return events
}

const relationWith = async (person: Person, id: string) => {
  const { body } = await person.client.get('/api/v1/accounts/relationships', { id: [id] })
  const { following, requested, followed_by, requested_by, blocked_by } = body[0]
  return { following, requested, followed_by, requested_by, blocked_by }
}
const NOTHING = { following: false, requested: false, followed_by: false, requested_by: false, blocked_by: false }

async function countersOf(id: string): Promise<[followers: number, following: number]> {
  const row = await ctx.db
    .selectFrom('account_stats')
    .selectAll()
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow()
  return [row.followers_count, row.following_count]
}

const receive = (accountId: string, targetAccountId: string, uri: string | null) =>
  ctx.write((tx) => receiveFollow(tx, { accountId, targetAccountId, uri }))

async function uriOf(table: 'follows' | 'follow_requests', accountId: string): Promise<string | null | undefined> {
  const row = await ctx.db.selectFrom(table).select('uri').where('account_id', '=', accountId).executeTakeFirst()
  return row?.uri
}

test('IN18 a follow of somebody elsewhere seems in place, but is a request: no private post until they agree', async () => {
  const [alice, remote] = [await world.createPerson(), await makeRemote(ctx)]
  const secret = await makeRemoteStatus(ctx, { accountId: remote, visibility: 'private' })
  const { body } = await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  assert.deepEqual([body.following, body.requested], [true, false])
  assert.deepEqual(await relationWith(alice, remote), { ...NOTHING, requested: true })
  const see = async () => (await alice.client.get(`/api/v1/statuses/${secret}`)).status
  assert.equal(await see(), 404)
  const uri = (await uriOf('follow_requests', alice.accountId))!
  assert.match(uri, /^https:\/\/linnet\.test\/follows\/[0-9a-f-]{36}$/)

  const pair = { accountId: alice.accountId, targetAccountId: remote }
  const answer = (other?: string) => ctx.write((tx) => acceptOwnRequest(tx, { ...pair, uri: other }))
  assert.equal(await answer(`${HOST}/another`), false)
  assert.equal(await see(), 404)
  assert.equal(await answer(uri), true)
  assert.equal(await answer(uri), false)
  assert.deepEqual(await relationWith(alice, remote), { ...NOTHING, following: true })
  assert.deepEqual([await see(), await countersOf(alice.accountId), await countersOf(remote)], [200, [0, 1], [1, 0]])

  const events = await told((write) => write((tx) => rejectOwnRequest(tx, { ...pair, uri })))
  assert.deepEqual(events, [{ name: 'account.unfollowed', ...pair, uri: null }])
  assert.deepEqual([await see(), await relationWith(alice, remote)], [404, NOTHING])
  assert.deepEqual(
    [await countersOf(alice.accountId), await countersOf(remote)],
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test('IN17 nobody makes somebody here follow them: not unasked, not for another, not after it was taken back', async () => {
  const [alice, remote, other] = [await world.createPerson(), await makeRemote(ctx), await makeRemote(ctx)]
  const accept = (targetAccountId: string, uri?: string) =>
    ctx.write((tx) => acceptOwnRequest(tx, { accountId: alice.accountId, targetAccountId, uri }))
  assert.equal(await accept(remote), false)
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  const uri = (await uriOf('follow_requests', alice.accountId))!
  assert.equal(await accept(other, uri), false)
  await alice.client.post(`/api/v1/accounts/${remote}/unfollow`)
  assert.equal(await accept(remote, uri), false)
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  assert.equal(await accept(remote, uri), false)
  assert.deepEqual(await relationWith(alice, remote), { ...NOTHING, requested: true })
})

test('another server hears of each follow that ends or is asked for, by its address', async () => {
  const [alice, remote] = [await world.createPerson(), await makeRemote(ctx)]
  const pair = { accountId: alice.accountId, targetAccountId: remote }
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  const asked = (await uriOf('follow_requests', alice.accountId))!
  assert.deepEqual(await told((write) => write((tx) => unfollowAccount(tx, pair))), [
    { name: 'account.unfollowed', ...pair, uri: asked },
  ])
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  await ctx.write((tx) => acceptOwnRequest(tx, pair))
  const again = (await uriOf('follows', alice.accountId))!
  assert.notEqual(again, asked)
  assert.deepEqual(await told((write) => write((tx) => unfollowAccount(tx, pair))), [
    { name: 'account.unfollowed', ...pair, uri: again },
  ])
})

test('somebody elsewhere follows at once, or asks who is locked; their server hears which, each time it asks', async () => {
  const [open, locked] = [await world.createPerson(), await world.createPerson({ locked: true })]
  const remote = await makeRemote(ctx)
  const uris = Array.from({ length: 4 }, () => `${HOST}/follows/${newName()}`)
  const pair = { accountId: remote, targetAccountId: open.accountId }
  const first = await told((write) => write((tx) => receiveFollow(tx, { ...pair, uri: uris[0]! })))
  assert.deepEqual(
    first.map(({ name, uri }) => [name, uri]),
    [
      ['account.followed', undefined],
      ['follow.authorised', uris[0]],
    ],
  )
  assert.deepEqual(await told((write) => write((tx) => receiveFollow(tx, { ...pair, uri: uris[1]! }))), [
    { name: 'follow.authorised', ...pair, uri: uris[1] },
  ])
  assert.equal(await uriOf('follows', remote), uris[1])
  assert.deepEqual(await countersOf(open.accountId), [1, 0])

  assert.equal(await receive(remote, locked.accountId, uris[2]!), 'requested')
  assert.deepEqual(await relationWith(locked, remote), { ...NOTHING, requested_by: true })
  const asker = { accountId: remote, targetAccountId: locked.accountId }
  const answer = { accountId: locked.accountId, requesterId: remote }
  assert.deepEqual(await told((write) => write((tx) => authoriseRequest(tx, answer))), [
    { name: 'account.followed', ...asker },
    { name: 'follow.authorised', ...asker, uri: uris[2] },
  ])
  assert.equal(await receive(remote, locked.accountId, uris[3]!), 'following')
})

test('who blocks, who has moved: a follow from elsewhere is refused, and their server hears it', async () => {
  const [blocker, moved, remote] = [await world.createPerson(), await world.createPerson(), await makeRemote(ctx)]
  await blocker.client.post(`/api/v1/accounts/${remote}/block`)
  await sql`update accounts set moved_to_account_id = ${blocker.accountId} where id = ${moved.accountId}`.execute(
    ctx.db,
  )
  for (const { accountId: targetAccountId } of [blocker, moved]) {
    const uri = `${HOST}/follows/${newName()}`
    const events = await told((write) => write((tx) => receiveFollow(tx, { accountId: remote, targetAccountId, uri })))
    assert.deepEqual(events, [{ name: 'follow.rejected', accountId: remote, targetAccountId, uri }])
  }
})

test('FP6 a follow or a block that was taken back before it came does nothing; a later one does', async () => {
  const [alice, remote, other] = [await world.createPerson(), await makeRemote(ctx), await makeRemote(ctx)]
  const pair = { accountId: remote, targetAccountId: alice.accountId }
  const [follow, block] = [`${HOST}/follows/${newName()}`, `${HOST}/blocks/${newName()}`]
  await ctx.write((tx) => unfollowAccount(tx, { ...pair, uri: follow }))
  assert.equal(await receive(remote, alice.accountId, follow), 'undone')
  // Somebody else's undoing is no concern of theirs.
  assert.equal(await receive(other, alice.accountId, follow), 'following')
  assert.equal(await receive(remote, alice.accountId, `${HOST}/follows/${newName()}`), 'following')

  await ctx.write((tx) => unblockAccount(tx, { ...pair, uri: block }))
  await ctx.write((tx) => blockAccount(tx, { ...pair, uri: block }))
  assert.equal((await relationWith(alice, remote)).blocked_by, false)
  await ctx.write((tx) => blockAccount(tx, { ...pair, uri: `${HOST}/blocks/${newName()}` }))
  assert.deepEqual(await relationWith(alice, remote), { ...NOTHING, blocked_by: true })
  await ctx.write((tx) => unblockAccount(tx, pair))
  assert.deepEqual(await relationWith(alice, remote), NOTHING)
})

test('FP1 a block across servers ends what both had, and each end is told once', async () => {
  const [alice, remote] = [await world.createPerson(), await makeRemote(ctx)]
  const pair = { accountId: alice.accountId, targetAccountId: remote }
  const back = { accountId: remote, targetAccountId: alice.accountId }
  await alice.client.post(`/api/v1/accounts/${remote}/follow`)
  await ctx.write((tx) => acceptOwnRequest(tx, pair))
  const [own, theirs] = [(await uriOf('follows', alice.accountId))!, `${HOST}/follows/${newName()}`]
  await receive(remote, alice.accountId, theirs)
  const events = await told((write) => write((tx) => blockAccount(tx, pair)))
  assert.deepEqual(events, [
    { name: 'account.unfollowed', ...pair, uri: own },
    { name: 'follow.rejected', ...back, uri: theirs },
    { name: 'account.blocked', ...pair },
  ])
  const [block] = await ctx.db.selectFrom('blocks').select('uri').where('account_id', '=', alice.accountId).execute()
  assert.match(block!.uri!, /^https:\/\/linnet\.test\/blocks\//)
  const lifted = await told((write) => write((tx) => unblockAccount(tx, pair)))
  assert.deepEqual(lifted, [{ name: 'account.unblocked', ...pair, uri: block!.uri }])
  assert.deepEqual(
    [await countersOf(alice.accountId), await countersOf(remote)],
    [
      [0, 0],
      [0, 0],
    ],
  )
})

test('a follower from elsewhere can be removed, and a follow from elsewhere is not counted against a limit', async () => {
  const [alice, remote] = [await world.createPerson(), await makeRemote(ctx, { followingCount: 90_000 })]
  const uri = `${HOST}/follows/${newName()}`
  assert.equal(await receive(remote, alice.accountId, uri), 'following')
  const pair = { accountId: remote, targetAccountId: alice.accountId }
  const events = await told((write) =>
    write((tx) => removeFollower(tx, { accountId: alice.accountId, followerId: remote })),
  )
  assert.deepEqual(events, [
    { name: 'account.unfollowed', ...pair, uri: null },
    { name: 'follow.rejected', ...pair, uri },
  ])
  assert.deepEqual(await countersOf(alice.accountId), [0, 0])
})

test('the old way to follow takes a handle, with blanks and an @, of people who are known or locked', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson({ locked: true })]
  const name = newName('known')
  const remote = await makeRemote(ctx, { handle: { username: name, domain: 'far.test' } })
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
  assert.equal((await relationWith(alice, bob.accountId)).requested, true)
})
