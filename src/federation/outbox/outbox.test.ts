import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { followAccount } from '../../domain/relationships/follows/follow-account.ts'
import { recordPeerActor } from '../../../test/federation/record-peer-actor.ts'
import { openPeer } from '../../../test/federation/peer/open-peer.ts'
import type { Activity } from '../../../test/federation/peer/inbox.ts'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import { suspend } from '../../../test/features/moderation.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const HOSTS = ['followers.test', 'friends.test', 'others.test'] as const
const peer = await openPeer({ hosts: HOSTS })
const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca })
peer.connect(testServer.ctx.config.origin, testServer.server)
const { ctx } = testServer
after(async () => {
  await testServer.close()
  await peer.close()
})

const [followers, friends, others] = HOSTS.map((name) => peer.host(name)) as [Host, Host, Host]
type Host = ReturnType<typeof peer.host>

const alice = await testServer.createUser({ username: 'alice' })
const follower = await followers.createActor('follower')
const friend = await friends.createActor('friend')
const other = await others.createActor('other')
await recordPeerActor(ctx, follower, { follows: alice.accountId })
const ids = {
  friend: await recordPeerActor(ctx, friend),
  other: await recordPeerActor(ctx, other),
}
const aliceUri = `${ctx.config.origin}/ap/users/${alice.accountId}`

beforeEach(async () => {
  await testServer.waitForJobs()
  for (const host of [followers, friends, others]) host.inbox.clear()
})

/** Returns the types of the activities that each of the three hosts received, in that order. */
async function receivedTypes(): Promise<string[][]> {
  await makeJobsDue(ctx, 'deliverProfile')
  await testServer.waitForJobs()
  return [followers, friends, others].map((host) => host.inbox.received.map(({ activity }) => typeOf(activity)))
}

function typeOf({ type, object }: Activity): string {
  return type === 'Undo' ? `Undo ${object.type}` : type
}

const pathOfLastDelivery = (host: Host): string => host.inbox.received.at(-1)!.request.path

async function post(
  user: TestUser,
  text: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string; uri: string }> {
  const { status, body } = await user.client.post('/api/v1/statuses', { status: text, ...more })
  assert.equal(status, 200)
  return body
}

async function edit(id: string, text: string): Promise<void> {
  assert.equal((await alice.client.put(`/api/v1/statuses/${id}`, { status: text })).status, 200)
  await testServer.waitForJobs()
}

/** Stores a status of a remote account, as if it had been delivered. */
async function receiveStatus(author: PeerActor, accountId: string): Promise<string> {
  const uri = `${author.id}/statuses/${crypto.randomUUID()}`
  const { id } = await ctx.db
    .insertInto('statuses')
    .values({ account_id: accountId, uri, url: uri, content: '<p>hi</p>', visibility: 'public', local: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('a public status is sent to the followers and the mentioned accounts, signed by its author', async () => {
  const { uri } = await post(alice, `good morning @${friend.handle}`)
  assert.deepEqual(await receivedTypes(), [['Create'], ['Create'], []])
  const [{ activity, keyId, request }] = followers.inbox.received as [(typeof followers.inbox.received)[0]]
  assert.equal(keyId, `${aliceUri}#main-key`)
  assert.equal(request.path, '/inbox')
  assert.deepEqual([activity['id'], activity['actor'], activity['object'].id], [`${uri}/activity`, aliceUri, uri])
  assert.deepEqual(activity['object'].tag[0].href, friend.id)
})

test('a followers-only status is sent to the followers and the mentioned accounts only', async () => {
  await post(alice, `only for some, @${friend.handle}`, { visibility: 'private' })
  assert.deepEqual(await receivedTypes(), [['Create'], ['Create'], []])
  const { to, cc } = friends.inbox.received[0]!.activity
  assert.deepEqual([to, cc], [[`${aliceUri}/followers`], [friend.id]])
})

test('a direct status is sent to the mentioned accounts only', async () => {
  await post(alice, `just you, @${friend.handle}`, { visibility: 'direct' })
  assert.deepEqual(await receivedTypes(), [[], ['Create'], []])
})

test('an account that the author blocks, also by its domain, is not mentioned and receives nothing', async () => {
  const author = await testServer.createUser()
  await author.client.post(`/api/v1/accounts/${ids.friend}/block`)
  await author.client.post('/api/v1/domain_blocks', { domain: 'others.test' })
  await post(author, `about @${friend.handle} and @${other.handle}`, { visibility: 'private' })
  assert.deepEqual(await receivedTypes(), [[], ['Block'], []])
})

test('a local-only status is not sent, nor are its Update and Delete', async () => {
  const { id } = await post(alice, `in the family, @${friend.handle}`, { local_only: true })
  await testServer.waitForJobs()
  await edit(id, `still in the family, @${friend.handle}`)
  await alice.client.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await receivedTypes(), [[], [], []])
})

test('a reply is also sent to the author of its parent, without a mention', async () => {
  const parentId = await receiveStatus(other, ids.other)
  await post(alice, 'well said', { in_reply_to_id: parentId })
  assert.deepEqual(await receivedTypes(), [['Create'], [], ['Create']])
})

test('a public reply to a local user, its Update and its Delete are also sent to the followers of that user', async () => {
  const bob = await testServer.createUser({ username: 'bob' })
  const { id, uri } = await post(alice, 'a question')
  await receivedTypes()
  const replies = [
    await post(bob, 'an answer', { in_reply_to_id: id }),
    await post(bob, 'a whisper', { in_reply_to_id: id, visibility: 'private' }),
  ]
  assert.deepEqual(await receivedTypes(), [['Create', 'Create'], [], []])
  for (const reply of replies) {
    await bob.client.put(`/api/v1/statuses/${reply.id}`, { status: 'a better one' })
    await testServer.waitForJobs()
  }
  // The author of a deleted parent has received the reply, too.
  await alice.client.delete(`/api/v1/statuses/${id}`)
  for (const reply of replies) await bob.client.delete(`/api/v1/statuses/${reply.id}`)
  assert.deepEqual(await receivedTypes(), [['Create', 'Create', 'Update', 'Delete', 'Delete'], [], []])
  const deleted = followers.inbox.received.slice(-2).map(({ activity }) => activity['object'].id)
  assert.deepEqual(new Set(deleted), new Set([uri, replies[0]!.uri]))
})

test('an edit is sent to the recipients and, if it is public, to accounts that interacted with it', async () => {
  const publicStatus = await post(alice, 'open to all')
  const direct = await post(alice, `secret @${friend.handle}`, { visibility: 'direct' })
  await ctx.db.insertInto('favourites').values({ account_id: ids.other, status_id: publicStatus.id }).execute()
  await ctx.db.insertInto('favourites').values({ account_id: ids.other, status_id: direct.id }).execute()
  await receivedTypes()
  await edit(publicStatus.id, 'better')
  await edit(direct.id, `better @${friend.handle}`)
  assert.deepEqual(await receivedTypes(), [['Create', 'Update'], ['Create', 'Update'], ['Update']])
  const { activity } = others.inbox.received[0]!
  assert.deepEqual([activity['object'].id, activity['object'].content], [publicStatus.uri, '<p>better</p>'])
})

test('a Delete is sent to all recipients of the status, and pending deliveries about it are cancelled', async () => {
  const { id, uri } = await post(alice, `soon gone @${friend.handle}`)
  await ctx.db.insertInto('favourites').values({ account_id: ids.other, status_id: id }).execute()
  await testServer.waitForJobs()
  const createActivity = ctx.db.selectFrom('sent_activities').select('id').where('uri', '=', `${uri}/activity`)
  await ctx.db
    .updateTable('deliveries')
    .set({ state: 'pending', next_attempt_at: new Date(Date.now() + 60_000) })
    .where('inbox_url', '=', followers.sharedInboxUrl)
    .where('activity_id', '=', createActivity)
    .execute()
  await alice.client.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await receivedTypes(), [['Create', 'Delete'], ['Create', 'Delete'], ['Delete']])
  const { activity } = others.inbox.received[0]!
  assert.deepEqual(activity['object'], { id: uri, type: 'Tombstone', atomUri: uri })
  const remaining = await ctx.db
    .selectFrom('deliveries')
    .select('inbox_url')
    .where('activity_id', '=', createActivity)
    .execute()
  assert.deepEqual(remaining, [{ inbox_url: friends.sharedInboxUrl }])
})

test('a Like and its Undo are sent to the inbox of the author alone', async () => {
  const statusId = await receiveStatus(other, ids.other)
  await alice.client.post(`/api/v1/statuses/${statusId}/favourite`)
  assert.deepEqual(await receivedTypes(), [[], [], ['Like']])
  assert.equal(pathOfLastDelivery(others), '/users/other/inbox')
  await alice.client.post(`/api/v1/statuses/${statusId}/unfavourite`)
  assert.deepEqual(await receivedTypes(), [[], [], ['Like', 'Undo Like']])
  const [like, undo] = others.inbox.received.map(({ activity }) => activity)
  assert.equal(undo!['object'].id, like!['id'])
})

test('an Announce and its Undo are sent to the followers and to the author', async () => {
  const statusId = await receiveStatus(other, ids.other)
  await alice.client.post(`/api/v1/statuses/${statusId}/reblog`)
  assert.deepEqual(await receivedTypes(), [['Announce'], [], ['Announce']])
  await alice.client.post(`/api/v1/statuses/${statusId}/unreblog`)
  assert.deepEqual(await receivedTypes(), [['Announce', 'Undo Announce'], [], ['Announce', 'Undo Announce']])
  const [announce, undo] = others.inbox.received.map(({ activity }) => activity)
  assert.equal(undo!['object'].id, announce!['id'])
})

test('a Follow and its Undo are sent to the inbox of the followed account', async () => {
  const carol = await testServer.createUser({ username: 'carol' })
  await carol.client.post(`/api/v1/accounts/${ids.other}/follow`)
  assert.deepEqual(await receivedTypes(), [[], [], ['Follow']])
  assert.equal(pathOfLastDelivery(others), '/users/other/inbox')
  await carol.client.post(`/api/v1/accounts/${ids.other}/unfollow`)
  assert.deepEqual(await receivedTypes(), [[], [], ['Follow', 'Undo Follow']])
  const [follow, undo] = others.inbox.received.map(({ activity }) => activity)
  assert.deepEqual([undo!['object'].id, undo!['object'].object], [follow!['id'], other.id])
})

test('a remote account gets the response to its Follow in its own inbox, again for each repeated Follow', async () => {
  const dora = await testServer.createUser({ username: 'dora' })
  const follow = () =>
    ctx.write((tx) =>
      followAccount(tx, {
        accountId: ids.other,
        targetAccountId: dora.accountId,
        uri: `${other.id}/follows/1`,
      }),
    )
  await follow()
  assert.deepEqual(await receivedTypes(), [[], [], ['Accept']])
  await follow()
  assert.deepEqual(await receivedTypes(), [[], [], ['Accept', 'Accept']])
  assert.equal(pathOfLastDelivery(others), '/users/other/inbox')
  const { activity } = others.inbox.received[0]!
  assert.deepEqual(
    [activity['object'].id, activity['object'].actor, activity['object'].object],
    [`${other.id}/follows/1`, other.id, `${ctx.config.origin}/ap/users/${dora.accountId}`],
  )
  await dora.client.post(`/api/v1/accounts/${ids.other}/remove_from_followers`)
  assert.deepEqual(await receivedTypes(), [[], [], ['Accept', 'Accept', 'Reject']])
})

test('a remote follow request is responded to when it is authorized or rejected', async () => {
  const erin = await testServer.createUser({ username: 'erin', locked: true })
  for (const [accountId, actor] of [
    [ids.friend, friend],
    [ids.other, other],
  ] as const) {
    await ctx.write((tx) => followAccount(tx, { accountId, targetAccountId: erin.accountId, uri: `${actor.id}/f/2` }))
  }
  assert.deepEqual(await receivedTypes(), [[], [], []])
  await erin.client.post(`/api/v1/follow_requests/${ids.friend}/authorize`)
  await erin.client.post(`/api/v1/follow_requests/${ids.other}/reject`)
  assert.deepEqual(await receivedTypes(), [[], ['Accept'], ['Reject']])
})

test('a Block and its Undo are sent to the blocked account', async () => {
  const frank = await testServer.createUser({ username: 'frank' })
  await frank.client.post(`/api/v1/accounts/${ids.other}/block`)
  assert.deepEqual(await receivedTypes(), [[], [], ['Block']])
  await frank.client.post(`/api/v1/accounts/${ids.other}/unblock`)
  assert.deepEqual(await receivedTypes(), [[], [], ['Block', 'Undo Block']])
  const [block, undo] = others.inbox.received.map(({ activity }) => activity)
  assert.equal(undo!['object'].id, block!['id'])
})

test('the Update of a changed profile is sent to the followers and to accounts mentioned in the last days', async () => {
  const { status } = await alice.client.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice A.' })
  assert.equal(status, 200)
  assert.deepEqual(await receivedTypes(), [['Update'], ['Update'], []])
  const { activity } = followers.inbox.received[0]!
  assert.deepEqual([activity['object'].id, activity['object'].name], [aliceUri, 'Alice A.'])
})

test('a profile is also sent to contacts of an account without followers; its suspension also to those who reported it', async () => {
  const gina = await testServer.createUser({ username: 'gina' })
  const { id } = await post(gina, `hi @${friend.handle}`, { visibility: 'direct' })
  await ctx.db.insertInto('reports').values({ account_id: ids.other, target_account_id: gina.accountId }).execute()
  const rename = async (name: string) =>
    gina.client.patch('/api/v1/accounts/update_credentials', { display_name: name })
  await rename('Gina')
  assert.deepEqual(await receivedTypes(), [[], ['Create', 'Update'], []])
  await ctx.db
    .updateTable('statuses')
    .set({ created_at: new Date(Date.now() - 3 * 86_400_000) })
    .where('id', '=', id)
    .execute()
  await rename('Gina G.')
  assert.deepEqual(await receivedTypes(), [[], ['Create', 'Update'], []])
  await suspend(ctx, gina)
  assert.deepEqual(await receivedTypes(), [[], ['Create', 'Update'], ['Update']])
  assert.equal(others.inbox.received[0]!.activity['object'].suspended, true)
})

test('activities of remote accounts are not forwarded', async () => {
  const statusId = await receiveStatus(other, ids.other)
  await ctx.write(async (tx) => {
    tx.emit('status.created', { statusId })
    tx.emit('account.updated', { accountId: ids.friend, mediaKeys: [] })
    tx.emit('follow.requested', { accountId: ids.friend, targetAccountId: ids.other })
    tx.emit('account.blocked', { accountId: ids.friend, targetAccountId: alice.accountId })
  })
  assert.deepEqual(await receivedTypes(), [[], [], []])
})
