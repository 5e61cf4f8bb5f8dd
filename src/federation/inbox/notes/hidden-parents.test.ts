import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, deliver, followEachOther, findStatus, show, notificationsOf } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const unrelatedActor = await peer.host('other.test').createActor('unrelated', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
const carol = await testServer.createUser({ username: 'carol' })
for (const actor of [bob, unrelatedActor]) await followEachOther(carol, actor)
await deliver(bob, bob.activity('Follow', uriOf(alice)))
const bobId = await followEachOther(alice, bob)

const post = async (body: Record<string, unknown>): Promise<Status> =>
  (await alice.client.post<Status>('/api/v1/statuses', { status: 'ours', ...body })).body
const create = (actor: PeerActor, note: Activity) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })

/** Delivers a public reply. Returns how the reply and its parent appear to users who can see them. */
async function reply(actor: PeerActor, parent: { uri: string; id: string }) {
  const note = actor.note({ inReplyTo: parent.uri })
  await deliver(actor, create(actor, note))
  const seen = await show(carol, note['id'])
  const { body: context } = await alice.client.get(`/api/v1/statuses/${parent.id}/context`)
  return {
    uri: note['id'] as string,
    isLinked: seen.in_reply_to_id !== null || seen.in_reply_to_account_id !== null,
    descendants: context.descendants.length as number,
    count: await repliesOf(alice, parent.id),
  }
}

async function repliesOf(user: TestUser, id: string): Promise<number> {
  return (await user.client.get<Status>(`/api/v1/statuses/${id}`)).body.replies_count
}

suite('a remote reply', () => {
  test('to a status that its author cannot see looks like one to an unknown status', async () => {
    for (const body of [{ visibility: 'private' }, { visibility: 'direct' }, { local_only: true }]) {
      const hidden = await post(body)
      const { isLinked, descendants, count } = await reply(unrelatedActor, hidden)
      assert.deepEqual([isLinked, descendants, count], [false, 0, 0], JSON.stringify(body))
    }
  })

  test('to such a status is not relevant because of it, and is not fetched when it is forwarded', async () => {
    const unknownActor = await peer.host('other.test').createActor('nobody', { keys: bob.keys })
    for (const [visibility, isRecorded] of [
      ['public', true],
      ['private', false],
    ] as const) {
      const parent = await post({ visibility })
      const note = unknownActor.note({ inReplyTo: parent.uri })
      await deliver(unknownActor, create(unknownActor, note))
      assert.equal((await findStatus(note['id'])) !== undefined, isRecorded, visibility)
      const forwarded = unknownActor.note({ inReplyTo: parent.uri })
      const isFetched = () => peer.host('other.test').countRequests(new RegExp(new URL(forwarded['id']).pathname)) > 0
      await deliver(bob, { ...create(unknownActor, forwarded), signature: { type: 'RsaSignature2017' } })
      assert.equal(isFetched(), isRecorded, visibility)
    }
  })

  test('to a followers-only or direct status that its author can see belongs to the thread', async () => {
    const [locked, direct] = [
      await post({ visibility: 'private' }),
      await post({ status: `@${bob.handle} hi`, visibility: 'direct' }),
    ]
    for (const parent of [locked, direct, await post({})]) {
      const { isLinked, descendants, count } = await reply(bob, parent)
      assert.deepEqual([isLinked, descendants, count], [true, 1, 1])
    }
  })

  test('that mentions a user notifies that user, and still does not reveal a hidden parent', async () => {
    const user = await testServer.createUser()
    const hidden = (await user.client.post<Status>('/api/v1/statuses', { status: 'x', visibility: 'private' })).body
    const mention = { cc: [uriOf(user)], tag: [{ type: 'Mention', href: uriOf(user) }] }
    await deliver(unrelatedActor, create(unrelatedActor, unrelatedActor.note({ inReplyTo: hidden.uri, ...mention })))
    assert.deepEqual(await notificationsOf(user), ['mention'])
    const { body } = await user.client.get('/api/v1/notifications')
    assert.deepEqual([body[0].status.in_reply_to_id, body[0].status.in_reply_to_account_id], [null, null])
  })

  test('is linked to a parent that arrives later only if its author can see that', async () => {
    for (const [to, isLinkedLater] of [
      [undefined, true],
      [[bob.followersUrl], false],
    ] as const) {
      const parent = bob.note(to && { to, cc: [] })
      remote.behave(new URL(parent['id']).pathname, ({ response }) => void response.writeHead(404).end(), { times: 1 })
      const note = unrelatedActor.note({ inReplyTo: parent['id'] })
      await deliver(unrelatedActor, create(unrelatedActor, note))
      await deliver(bob, create(bob, parent))
      assert.equal((await show(carol, note['id'])).in_reply_to_id !== null, isLinkedLater)
      assert.equal((await show(alice, parent['id'])).replies_count, isLinkedLater ? 1 : 0)
    }
  })
})

suite('a reply of a blocked account', () => {
  test('does not count, nor does it when it is deleted', async () => {
    const parent = await post({})
    await alice.client.post(`/api/v1/accounts/${bobId}/block`)
    const { uri, isLinked, descendants, count } = await reply(bob, parent)
    assert.deepEqual([isLinked, descendants, count], [false, 0, 0])
    await deliver(bob, bob.activity('Delete', uri))
    assert.equal(await repliesOf(carol, parent.id), 0)
    await alice.client.post(`/api/v1/accounts/${bobId}/unblock`)
    await testServer.waitForJobs()
  })

  test('stops counting with the block, and counts again without it', async () => {
    const blocks = [
      [`/api/v1/accounts/${bobId}/block`, `/api/v1/accounts/${bobId}/unblock`],
      ['/api/v1/domain_blocks?domain=remote.test', '/api/v1/domain_blocks?domain=remote.test'],
    ] as const
    for (const [block, unblock] of blocks) {
      const parent = await post({})
      const [first, second] = [await reply(bob, parent), await reply(bob, parent)]
      await carol.client.post('/api/v1/statuses', { status: 'ours', in_reply_to_id: parent.id })
      assert.equal(await repliesOf(carol, parent.id), 3)
      await alice.client.post(block)
      await testServer.waitForJobs()
      assert.equal(await repliesOf(carol, parent.id), 1)
      await deliver(bob, bob.activity('Delete', first.uri))
      assert.equal(await repliesOf(carol, parent.id), 1)
      if (block === unblock) await alice.client.delete(unblock)
      else await alice.client.post(unblock)
      await testServer.waitForJobs()
      assert.equal(await repliesOf(carol, parent.id), 2)
      await deliver(bob, bob.activity('Delete', second.uri))
      assert.equal(await repliesOf(carol, parent.id), 1)
    }
  })
})
