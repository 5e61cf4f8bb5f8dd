import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { followAccount } from '../../domain/relationships/follow.ts'
import { acquaint } from '../../../test/acquaint.ts'
import { openPeer } from '../../../test/peer.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const HOSTS = ['fans.test', 'friends.test', 'strangers.test'] as const
const peer = await openPeer({ hosts: HOSTS })
const world = await openWorld({ env: peer.env, extraCa: peer.ca })
peer.connect(world.ctx.config.origin, world.server)
const { ctx } = world
after(async () => {
  await world.close()
  await peer.close()
})

const [fans, friends, strangers] = HOSTS.map((name) => peer.host(name)) as [Host, Host, Host]
type Host = ReturnType<typeof peer.host>

const alice = await world.createPerson({ username: 'alice' })
const fan = await fans.createActor('fan')
const friend = await friends.createActor('friend')
const stranger = await strangers.createActor('stranger')
const ids = {
  fan: await acquaint(ctx, fan, { follows: alice.accountId }),
  friend: await acquaint(ctx, friend),
  stranger: await acquaint(ctx, stranger),
}
const aliceUri = `${ctx.config.origin}/ap/users/${alice.accountId}`

beforeEach(async () => {
  await world.settle()
  for (const host of [fans, friends, strangers]) host.inbox.clear()
})

/** The types of what each of the three hosts got, in that order. */
async function whatCame(): Promise<string[][]> {
  await world.settle()
  return [fans, friends, strangers].map((host) => host.inbox.received.map(({ activity }) => typeOf(activity)))
}

function typeOf({ type, object }: Activity): string {
  return type === 'Undo' ? `Undo ${object.type}` : type
}

const pathOfLast = (host: Host): string => host.inbox.received.at(-1)!.request.path

async function post(
  person: Person,
  text: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string; uri: string }> {
  const { status, body } = await person.client.post('/api/v1/statuses', { status: text, ...more })
  assert.equal(status, 200)
  return body
}

async function edit(id: string, text: string): Promise<void> {
  assert.equal((await alice.client.put(`/api/v1/statuses/${id}`, { status: text })).status, 200)
  await world.settle()
}

/** A status of somebody elsewhere, as if it had been delivered. */
async function receiveStatus(author: PeerActor, accountId: string): Promise<string> {
  const uri = `${author.id}/statuses/${crypto.randomUUID()}`
  const { id } = await ctx.db
    .insertInto('statuses')
    .values({ account_id: accountId, uri, url: uri, content: '<p>hi</p>', visibility: 'public', local: false })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('a public status goes to the followers and to whom it mentions, signed by its author', async () => {
  const { uri } = await post(alice, `good morning @${friend.handle}`)
  assert.deepEqual(await whatCame(), [['Create'], ['Create'], []])
  const [{ activity, keyId, request }] = fans.inbox.received as [(typeof fans.inbox.received)[0]]
  assert.equal(keyId, `${aliceUri}#main-key`)
  assert.equal(request.path, '/inbox')
  assert.deepEqual([activity['id'], activity['actor'], activity['object'].id], [`${uri}/activity`, aliceUri, uri])
  assert.deepEqual(activity['object'].tag[0].href, friend.id)
})

test('a status for followers goes to them and to whom it mentions, and to nobody else', async () => {
  await post(alice, `only for some, @${friend.handle}`, { visibility: 'private' })
  assert.deepEqual(await whatCame(), [['Create'], ['Create'], []])
  const { to, cc } = friends.inbox.received[0]!.activity
  assert.deepEqual([to, cc], [[`${aliceUri}/followers`], [friend.id]])
})

test('a direct status goes only to whom it mentions', async () => {
  await post(alice, `just you, @${friend.handle}`, { visibility: 'direct' })
  assert.deepEqual(await whatCame(), [[], ['Create'], []])
})

test('a local-only status goes nowhere, neither do its edit and its end', async () => {
  const { id } = await post(alice, `in the family, @${friend.handle}`, { local_only: true })
  await world.settle()
  await edit(id, `still in the family, @${friend.handle}`)
  await alice.client.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await whatCame(), [[], [], []])
})

test('a reply also goes to the author whom it answers, without a mention', async () => {
  const parentId = await receiveStatus(stranger, ids.stranger)
  await post(alice, 'well said', { in_reply_to_id: parentId })
  assert.deepEqual(await whatCame(), [['Create'], [], ['Create']])
})

test('a reply to somebody here also goes to the followers of that person, unless it is not for everybody', async () => {
  const bob = await world.createPerson({ username: 'bob' })
  const { id } = await post(alice, 'a question')
  await whatCame()
  await post(bob, 'an answer', { in_reply_to_id: id })
  await post(bob, 'a whisper', { in_reply_to_id: id, visibility: 'private' })
  assert.deepEqual(await whatCame(), [['Create', 'Create'], [], []])
})

test('an edit goes to those who may read the status, and to who has it for having dealt with it', async () => {
  const open = await post(alice, 'open to all')
  const secret = await post(alice, `secret @${friend.handle}`, { visibility: 'direct' })
  await ctx.db.insertInto('favourites').values({ account_id: ids.stranger, status_id: open.id }).execute()
  await ctx.db.insertInto('favourites').values({ account_id: ids.stranger, status_id: secret.id }).execute()
  await whatCame()
  await edit(open.id, 'better')
  await edit(secret.id, `better @${friend.handle}`)
  assert.deepEqual(await whatCame(), [['Create', 'Update'], ['Create', 'Update'], ['Update']])
  const { activity } = strangers.inbox.received[0]!
  assert.deepEqual([activity['object'].id, activity['object'].content], [open.uri, '<p>better</p>'])
})

test('that a status is gone is told to everybody whom it reached, and what was not sent yet is not sent', async () => {
  const { id, uri } = await post(alice, `soon gone @${friend.handle}`)
  await ctx.db.insertInto('favourites').values({ account_id: ids.stranger, status_id: id }).execute()
  await world.settle()
  const ofCreate = ctx.db.selectFrom('sent_activities').select('id').where('uri', '=', `${uri}/activity`)
  await ctx.db
    .updateTable('deliveries')
    .set({ state: 'waiting', next_try_at: new Date(Date.now() + 60_000) })
    .where('inbox_url', '=', fans.sharedInboxUrl)
    .where('activity_id', '=', ofCreate)
    .execute()
  await alice.client.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await whatCame(), [['Create', 'Delete'], ['Create', 'Delete'], ['Delete']])
  const { activity } = strangers.inbox.received[0]!
  assert.deepEqual(activity['object'], { id: uri, type: 'Tombstone', atomUri: uri })
  const left = await ctx.db.selectFrom('deliveries').select('inbox_url').where('activity_id', '=', ofCreate).execute()
  assert.deepEqual(left, [{ inbox_url: friends.sharedInboxUrl }])
})

test('a favourite goes to the inbox of the author alone, and so does its end', async () => {
  const statusId = await receiveStatus(stranger, ids.stranger)
  await alice.client.post(`/api/v1/statuses/${statusId}/favourite`)
  assert.deepEqual(await whatCame(), [[], [], ['Like']])
  assert.equal(pathOfLast(strangers), '/users/stranger/inbox')
  await alice.client.post(`/api/v1/statuses/${statusId}/unfavourite`)
  assert.deepEqual(await whatCame(), [[], [], ['Like', 'Undo Like']])
  const [like, undo] = strangers.inbox.received.map(({ activity }) => activity)
  assert.equal(undo!['object'].id, like!['id'])
})

test('a boost goes to the followers and to the author, and so does its end', async () => {
  const statusId = await receiveStatus(stranger, ids.stranger)
  await alice.client.post(`/api/v1/statuses/${statusId}/reblog`)
  assert.deepEqual(await whatCame(), [['Announce'], [], ['Announce']])
  await alice.client.post(`/api/v1/statuses/${statusId}/unreblog`)
  assert.deepEqual(await whatCame(), [['Announce', 'Undo Announce'], [], ['Announce', 'Undo Announce']])
  const [announce, undo] = strangers.inbox.received.map(({ activity }) => activity)
  assert.equal(undo!['object'].id, announce!['id'])
})

test('a request to follow and its end go to the inbox of the one who is asked', async () => {
  const carol = await world.createPerson({ username: 'carol' })
  await carol.client.post(`/api/v1/accounts/${ids.stranger}/follow`)
  assert.deepEqual(await whatCame(), [[], [], ['Follow']])
  assert.equal(pathOfLast(strangers), '/users/stranger/inbox')
  await carol.client.post(`/api/v1/accounts/${ids.stranger}/unfollow`)
  assert.deepEqual(await whatCame(), [[], [], ['Follow', 'Undo Follow']])
  const [follow, undo] = strangers.inbox.received.map(({ activity }) => activity)
  assert.deepEqual([undo!['object'].id, undo!['object'].object], [follow!['id'], stranger.id])
})

test('somebody elsewhere who asks to follow hears the answer in their own inbox, as often as they ask', async () => {
  const dora = await world.createPerson({ username: 'dora' })
  const follow = () =>
    ctx.write((tx) =>
      followAccount(tx, {
        accountId: ids.stranger,
        targetAccountId: dora.accountId,
        uri: `${stranger.id}/follows/1`,
      }),
    )
  await follow()
  assert.deepEqual(await whatCame(), [[], [], ['Accept']])
  await follow()
  assert.deepEqual(await whatCame(), [[], [], ['Accept', 'Accept']])
  assert.equal(pathOfLast(strangers), '/users/stranger/inbox')
  const { activity } = strangers.inbox.received[0]!
  assert.deepEqual(
    [activity['object'].id, activity['object'].actor, activity['object'].object],
    [`${stranger.id}/follows/1`, stranger.id, `${ctx.config.origin}/ap/users/${dora.accountId}`],
  )
  await dora.client.post(`/api/v1/accounts/${ids.stranger}/remove_from_followers`)
  assert.deepEqual(await whatCame(), [[], [], ['Accept', 'Accept', 'Reject']])
})

test('a request from elsewhere is answered when it is granted or turned down', async () => {
  const erin = await world.createPerson({ username: 'erin', locked: true })
  for (const [accountId, actor] of [
    [ids.friend, friend],
    [ids.stranger, stranger],
  ] as const) {
    await ctx.write((tx) => followAccount(tx, { accountId, targetAccountId: erin.accountId, uri: `${actor.id}/f/2` }))
  }
  assert.deepEqual(await whatCame(), [[], [], []])
  await erin.client.post(`/api/v1/follow_requests/${ids.friend}/authorize`)
  await erin.client.post(`/api/v1/follow_requests/${ids.stranger}/reject`)
  assert.deepEqual(await whatCame(), [[], ['Accept'], ['Reject']])
})

test('a block and its end are told to the one who is blocked', async () => {
  const frank = await world.createPerson({ username: 'frank' })
  await frank.client.post(`/api/v1/accounts/${ids.stranger}/block`)
  assert.deepEqual(await whatCame(), [[], [], ['Block']])
  await frank.client.post(`/api/v1/accounts/${ids.stranger}/unblock`)
  assert.deepEqual(await whatCame(), [[], [], ['Block', 'Undo Block']])
  const [block, undo] = strangers.inbox.received.map(({ activity }) => activity)
  assert.equal(undo!['object'].id, block!['id'])
})

test('a profile that has changed goes to the followers', async () => {
  const { status } = await alice.client.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice A.' })
  assert.equal(status, 200)
  assert.deepEqual(await whatCame(), [['Update'], [], []])
  const { activity } = fans.inbox.received[0]!
  assert.deepEqual([activity['object'].id, activity['object'].name], [aliceUri, 'Alice A.'])
})

test('nothing that people elsewhere do is sent on', async () => {
  const statusId = await receiveStatus(stranger, ids.stranger)
  await ctx.write(async (tx) => {
    tx.emit('status.posted', { statusId })
    tx.emit('account.updated', { accountId: ids.friend, mediaKeys: [] })
    tx.emit('follow.requested', { accountId: ids.friend, targetAccountId: ids.stranger })
    tx.emit('account.blocked', { accountId: ids.friend, targetAccountId: alice.accountId })
  })
  assert.deepEqual(await whatCame(), [[], [], []])
})
