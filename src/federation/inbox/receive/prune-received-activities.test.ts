import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'

const DAY_MS = 86_400_000
let clock = () => new Date()
const fediverse = await openFediverse({ hosts: ['remote.test'], now: () => clock() })
const { testServer, peer, origin, uriOf, deliver, countRows } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')

test('received activities and remote tombstones are deleted after 30 days, local tombstones are not', async () => {
  const alice = await testServer.createUser({ username: 'alice' })
  const { body: own } = await alice.client.post('/api/v1/statuses', { status: 'short-lived' })
  await alice.client.delete(`/api/v1/statuses/${own.id}`)
  const follow = bob.activity('Follow', uriOf(alice))
  const now = clock()
  assert.equal((await bob.send(follow, { now })).status, 202)
  await deliver(bob, bob.activity('Delete', `${bob.id}/statuses/gone`), bob.activity('Undo', follow))
  const before = await countRows()
  const prune = async (days: number) => {
    const later = new Date(now.getTime() + days * DAY_MS)
    clock = () => later
    await testServer.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await testServer.waitForJobs()
    const { received_activities, tombstones } = await countRows()
    return { received_activities, tombstones }
  }
  const { received_activities, tombstones } = before
  assert.deepEqual(await prune(29), { received_activities, tombstones })
  assert.deepEqual(await prune(31), { received_activities: 0, tombstones: 1 })

  const gone = await testServer.server.inject({
    url: new URL(own.uri).pathname,
    headers: { host: new URL(origin).host, accept: 'application/activity+json' },
  })
  assert.equal(gone.statusCode, 410)
  assert.equal((await bob.send(follow, { now })).status, 401)
  assert.equal((await countRows())['follows'], 0)
})
