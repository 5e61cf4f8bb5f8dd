import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { blockDomainAsStaff, unblockDomainAsStaff } from '../../../../test/features/moderation.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { pruneSeveredFollows } from './restore-severed-follows.ts'

const DAY_MS = 86_400_000

const fediverse = await openFediverse({ hosts: ['back.test', 'sub.back.test'] })
const { testServer, peer, deliver, followEachOther, uriOf } = fediverse
after(fediverse.close)
const { ctx, waitForJobs } = testServer

async function suspendDomain(domain: string): Promise<void> {
  await blockDomainAsStaff(ctx, domain, { severity: 'suspend' })
  await waitForJobs()
}

async function unblock(domain: string): Promise<void> {
  await unblockDomainAsStaff(ctx, domain)
  await waitForJobs()
}

async function relationship({ client }: TestUser, id: string) {
  return (await client.get('/api/v1/accounts/relationships', { id, with_suspended: 'true' })).body[0]
}

const countSevered = async () => (await ctx.db.selectFrom('severed_follows').select('id').execute()).length

/** Lets the severed follows appear to be that old. */
const makeOlder = (days: number) =>
  ctx.db
    .updateTable('severed_follows')
    .set({ created_at: new Date(Date.now() - days * DAY_MS) })
    .execute()

test('a follow that a suspension of the domain ended is requested again with its options when the block is removed', async () => {
  const actor = await peer.host('sub.back.test').createActor('friend')
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const id = await followEachOther(alice, actor)
  await followEachOther(bob, actor)
  await alice.client.post(`/api/v1/accounts/${id}/follow`, { reblogs: false, notify: true, languages: ['en'] })
  await deliver(actor, actor.activity('Follow', uriOf(alice)))
  await suspendDomain('back.test')
  assert.equal((await relationship(alice, id)).following, false)
  // The block of the subdomain still prevents the follow.
  await suspendDomain('sub.back.test')
  await unblock('back.test')
  assert.equal((await relationship(alice, id)).requested, false)
  await bob.client.post(`/api/v1/accounts/${id}/block`)
  await unblock('sub.back.test')
  const { activity } = await actor.inbox.next(({ type, actor: sender }) => type === 'Follow' && sender === uriOf(alice))
  await deliver(actor, actor.activity('Accept', activity))
  const {
    following,
    showing_reblogs: reblogs,
    notifying,
    languages,
    followed_by: followedBy,
  } = await relationship(alice, id)
  // Its follower has to follow again: only the remote server can request that.
  assert.deepEqual([following, reblogs, notifying, languages, followedBy], [true, false, true, ['en'], false])
  const ofBob = await relationship(bob, id)
  assert.deepEqual([ofBob.following, ofBob.requested], [false, false])
  assert.equal(await countSevered(), 0)
})

test('a follow is restored when the suspension becomes a limit, but not after 30 days', async () => {
  const actor = await peer.host('back.test').createActor('late')
  const alice = await testServer.createUser()
  const id = await followEachOther(alice, actor)
  await suspendDomain('back.test')
  await makeOlder(29)
  await pruneSeveredFollows(ctx)
  await blockDomainAsStaff(ctx, 'back.test', { severity: 'silence' })
  await waitForJobs()
  const { activity } = await actor.inbox.next(({ type, object }) => type === 'Follow' && object === actor.id)
  await deliver(actor, actor.activity('Accept', activity))
  assert.equal((await relationship(alice, id)).following, true)
  await suspendDomain('back.test')
  await makeOlder(31)
  await unblock('back.test')
  const { following, requested } = await relationship(alice, id)
  assert.deepEqual([following, requested, await countSevered()], [false, false, 1])
  await pruneSeveredFollows(ctx)
  assert.equal(await countSevered(), 0)
})

test('a restored follow is in the lists again that had it, and its posts leave the feeds meanwhile', async () => {
  const actor = await peer.host('back.test').createActor('listed')
  const alice = await testServer.createUser()
  const id = await followEachOther(alice, actor)
  const { id: listId } = (await alice.client.post('/api/v1/lists', { title: 'Friends' })).body
  await alice.client.post(`/api/v1/lists/${listId}/accounts`, { account_ids: [id] })
  const statusId = await createRemoteStatus(ctx, { accountId: id })
  await waitForJobs()
  const entries = async () => [
    await ctx.db.selectFrom('feed_entries').select('status_id').where('account_id', '=', alice.accountId).execute(),
    await ctx.db.selectFrom('list_entries').select('status_id').where('list_id', '=', listId).execute(),
  ]
  const one = [{ status_id: statusId }]
  assert.deepEqual(await entries(), [one, one])
  await suspendDomain('back.test')
  assert.deepEqual(await entries(), [[], []])
  await unblock('back.test')
  const { activity } = await actor.inbox.next(({ type, object }) => type === 'Follow' && object === actor.id)
  await deliver(actor, actor.activity('Accept', activity))
  await waitForJobs()
  const members = (await alice.client.get(`/api/v1/lists/${listId}/accounts`)).body
  assert.deepEqual(
    members.map((member: { id: string }) => member.id),
    [id],
  )
  assert.deepEqual(await entries(), [one, one])
})
