import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import { UNSOLICITED_ACTIVITIES } from '../../throttles.ts'

let clock = () => new Date()
const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'friend.test'], now: () => clock() })
const { testServer, peer, origin, uriOf, countRows, waitForAnswer, followEachOther } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const eve = await peer.host('other.test').createActor('eve', { keys: bob.keys })
const carol = await peer.host('friend.test').createActor('carol', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
const localStatus = (await alice.client.post('/api/v1/statuses', { status: 'hello' })).body

/** Returns the Delete of an unknown status. */
const unsolicited = (actor: PeerActor) => actor.activity('Delete', `${actor.id}/statuses/${Math.random()}`)

async function send(actor: PeerActor, activities: readonly Activity[]): Promise<number[]> {
  return Promise.all(activities.map(async (activity) => waitForAnswer(actor.send(activity, { now: clock() }))))
}

/** Uses up the throttle of a host, except for `left` uses. */
async function useUp(host: string, { left = 0 } = {}): Promise<void> {
  for (let n = left; n < UNSOLICITED_ACTIVITIES.limit; n += 1)
    await testServer.ctx.rateLimiter.take(UNSOLICITED_ACTIVITIES, host, clock())
}

test('activities that could only act on a local object are not stored if there is none', async () => {
  assert.deepEqual(await send(bob, [bob.activity('Like', `${origin}/nothing`)]), [202])
  const before = await countRows()
  const nothing = [
    bob.activity('Like', `${origin}/nothing`),
    bob.activity('Like', eve.note()['id']),
    bob.activity('Announce', eve.note()['id']),
    bob.activity('Follow', eve.id),
    bob.activity('Block', `${origin}/ap/users/0`),
  ]
  const codes = await send(bob, Array.from({ length: 40 }, () => nothing).flat())
  await testServer.waitForJobs()
  assert.deepEqual([...new Set(codes)], [202])
  assert.deepEqual(await countRows(), before)
})

test('beyond the throttle of their host, unsolicited activities are refused until the window ends', async () => {
  const begin = new Date(Math.ceil(Date.now() / 300_000) * 300_000)
  clock = () => begin
  await send(bob, [unsolicited(bob)])
  await useUp('remote.test', { left: 6 })
  assert.deepEqual(await send(bob, [unsolicited(bob), unsolicited(bob)]), [202, 202])
  const codes = await send(
    bob,
    Array.from({ length: 10 }, () => unsolicited(bob)),
  )
  assert.equal(codes.filter((code) => code === 202).length, 3)
  assert.equal(codes.filter((code) => code === 429).length, 7)
  await testServer.waitForJobs()
  const before = await countRows()
  const refused = await bob.send(unsolicited(bob), { now: clock() })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '300'])
  await testServer.waitForJobs()
  assert.deepEqual(await countRows(), before)
  assert.deepEqual(await send(eve, [unsolicited(eve)]), [202], 'other hosts have their own throttle')

  clock = () => new Date(begin.getTime() + 300_000)
  assert.deepEqual(await send(bob, [unsolicited(bob)]), [202])
  clock = () => new Date()
})

test('the throttle does not apply to activities on local accounts and statuses', async () => {
  await send(eve, [unsolicited(eve)])
  await useUp('other.test')
  assert.deepEqual(await send(eve, [unsolicited(eve)]), [429])
  const like = eve.activity('Like', localStatus.uri)
  const follow = eve.activity('Follow', uriOf(alice))
  const solicited = [
    like,
    follow,
    eve.activity('Announce', localStatus.uri),
    eve.activity('Create', eve.note({ inReplyTo: localStatus.uri })),
    eve.activity('Create', eve.note({ to: [uriOf(alice)], cc: [] })),
    eve.activity('Undo', like),
    eve.activity('Undo', follow),
  ]
  for (const activity of solicited) assert.deepEqual(await send(eve, [activity]), [202], String(activity['type']))
})

test('the throttle does not apply to actors that a local account follows or requests to follow', async () => {
  await useUp('friend.test')
  // A follow causes an Accept, which comes from an actor that is not followed yet.
  await followEachOther(alice, carol)
  assert.deepEqual(await send(carol, [unsolicited(carol), carol.activity('Update', carol.document)]), [202, 202])
  const note = carol.note()
  await send(carol, [carol.activity('Create', note)])
  await testServer.waitForJobs()
  assert.ok(await fediverse.findStatus(note['id']))
})
