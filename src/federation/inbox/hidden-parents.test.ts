import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import type { Person } from '../../../test/world.ts'
import type { Status } from '../../entities/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, uriOf, deliver, befriend, findStatus, show, notified } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const stranger = await peer.host('other.test').createActor('stranger', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
const carol = await world.createPerson({ username: 'carol' })
for (const actor of [bob, stranger]) await befriend(carol, actor)
await deliver(bob, bob.activity('Follow', uriOf(alice)))
const bobId = await befriend(alice, bob)

const post = async (body: Record<string, unknown>): Promise<Status> =>
  (await alice.client.post<Status>('/api/v1/statuses', { status: 'ours', ...body })).body
const create = (actor: PeerActor, note: Activity) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })

/** Delivers a public reply. Gives how it and its parent look, to somebody who reads both. */
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

async function repliesOf(person: Person, id: string): Promise<number> {
  return (await person.client.get<Status>(`/api/v1/statuses/${id}`)).body.replies_count
}

suite('a reply from elsewhere', () => {
  test('to a status that its author cannot see looks like one to an unknown status', async () => {
    for (const body of [{ visibility: 'private' }, { visibility: 'direct' }, { local_only: true }]) {
      const hidden = await post(body)
      const { isLinked, descendants, count } = await reply(stranger, hidden)
      assert.deepEqual([isLinked, descendants, count], [false, 0, 0], JSON.stringify(body))
    }
  })

  test('to such a status is not recorded for its sake, and nothing is fetched when it is forwarded', async () => {
    const nobody = await peer.host('other.test').createActor('nobody', { keys: bob.keys })
    for (const [visibility, isRecorded] of [
      ['public', true],
      ['private', false],
    ] as const) {
      const parent = await post({ visibility })
      const note = nobody.note({ inReplyTo: parent.uri })
      await deliver(nobody, create(nobody, note))
      assert.equal((await findStatus(note['id'])) !== undefined, isRecorded, visibility)
      const forwarded = nobody.note({ inReplyTo: parent.uri })
      const isAsked = () => peer.host('other.test').countRequests(new RegExp(new URL(forwarded['id']).pathname)) > 0
      await deliver(bob, { ...create(nobody, forwarded), signature: { type: 'RsaSignature2017' } })
      assert.equal(isAsked(), isRecorded, visibility)
    }
  })

  test('to a status for followers or for its author belongs to the thread', async () => {
    const [locked, direct] = [
      await post({ visibility: 'private' }),
      await post({ status: `@${bob.handle} hi`, visibility: 'direct' }),
    ]
    for (const parent of [locked, direct, await post({})]) {
      const { isLinked, descendants, count } = await reply(bob, parent)
      assert.deepEqual([isLinked, descendants, count], [true, 1, 1])
    }
  })

  test('that mentions somebody notifies them, and still does not name a hidden parent', async () => {
    const person = await world.createPerson()
    const hidden = (await person.client.post<Status>('/api/v1/statuses', { status: 'x', visibility: 'private' })).body
    const mention = { cc: [uriOf(person)], tag: [{ type: 'Mention', href: uriOf(person) }] }
    await deliver(stranger, create(stranger, stranger.note({ inReplyTo: hidden.uri, ...mention })))
    assert.deepEqual(await notified(person), ['mention'])
    const { body } = await person.client.get('/api/v1/notifications')
    assert.deepEqual([body[0].status.in_reply_to_id, body[0].status.in_reply_to_account_id], [null, null])
  })

  test('joins a parent that comes later only if its author can see that', async () => {
    for (const [to, isJoined] of [
      [undefined, true],
      [[bob.followersUrl], false],
    ] as const) {
      const parent = bob.note(to && { to, cc: [] })
      remote.behave(new URL(parent['id']).pathname, ({ response }) => void response.writeHead(404).end(), { times: 1 })
      const note = stranger.note({ inReplyTo: parent['id'] })
      await deliver(stranger, create(stranger, note))
      await deliver(bob, create(bob, parent))
      assert.equal((await show(carol, note['id'])).in_reply_to_id !== null, isJoined)
      assert.equal((await show(alice, parent['id'])).replies_count, isJoined ? 1 : 0)
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
    await world.settle()
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
      await world.settle()
      assert.equal(await repliesOf(carol, parent.id), 1)
      await deliver(bob, bob.activity('Delete', first.uri))
      assert.equal(await repliesOf(carol, parent.id), 1)
      if (block === unblock) await alice.client.delete(unblock)
      else await alice.client.post(unblock)
      await world.settle()
      assert.equal(await repliesOf(carol, parent.id), 2)
      await deliver(bob, bob.activity('Delete', second.uri))
      assert.equal(await repliesOf(carol, parent.id), 1)
    }
  })
})
