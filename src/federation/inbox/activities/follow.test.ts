import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['hub.test'] })
const { testServer, peer, uriOf, origin, deliver, notificationsOf } = fediverse
after(fediverse.close)

const bob = await peer.host('hub.test').createActor('bob')
const alice = await testServer.createUser({ username: 'Alice' })
const followersOfAlice = async () =>
  (await alice.client.get(`/api/v1/accounts/${alice.accountId}/followers`)).body.map(
    ({ acct }: { acct: string }) => acct,
  )

const start = Date.now() - 60_000
/** Sends an activity, signed so many seconds after the start of the test. */
async function send(activity: Activity, second: number) {
  assert.equal((await bob.send(activity, { now: new Date(start + second * 1_000) })).status, 202)
  await testServer.waitForJobs()
}

test('a Follow of the URL of a profile page follows its account, and an Undo with the id of the account ends it', async () => {
  // Hubzilla sends an Undo with another id of the Follow.
  const id = `${bob.id}/follow/5`
  const undo = bob.activity('Undo', { type: 'Follow', id, actor: bob.id, object: uriOf(alice) }, { id: `${id}#undo` })
  let second = 0
  for (const page of [`${origin}/@Alice`, `${origin}/@alice/`, `${origin}/users/alice`, uriOf(alice)]) {
    await send(bob.activity('Follow', page, { id: `${id}#follow` }), (second += 1))
    assert.deepEqual(await followersOfAlice(), [bob.handle])
    const { activity } = await bob.inbox.next(({ type }) => type === 'Accept')
    assert.deepEqual(activity['object'], { id: `${id}#follow`, type: 'Follow', actor: bob.id, object: uriOf(alice) })
    await send(undo, (second += 1))
    assert.deepEqual(await followersOfAlice(), [])
  }
})

test('an Undo that was signed after the Follow of a profile page ends the follow, in any order of arrival', async () => {
  const follow = bob.activity('Follow', `${origin}/@Alice`)
  const undo = bob.activity('Undo', { ...follow, id: `${follow['id']}/other`, object: uriOf(alice) })
  await send(undo, 21)
  await send(follow, 20)
  assert.deepEqual(await followersOfAlice(), [])
  await send(follow, 22)
  assert.deepEqual(await followersOfAlice(), [bob.handle])
  await send(undo, 23)
})

test('a Follow of the URL of another page, or of an unknown account, has no effect', async () => {
  const before = await notificationsOf(alice)
  for (const page of [`${origin}/@alice/1`, `${origin}/@nobody`, `${origin}/about`, 'https://hub.test/@alice'])
    await deliver(bob, bob.activity('Follow', page))
  assert.deepEqual(await followersOfAlice(), [])
  assert.deepEqual(await notificationsOf(alice), before)
})
