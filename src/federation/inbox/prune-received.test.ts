import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../test/fediverse.ts'

const DAY_MS = 86_400_000
let clock = () => new Date()
const fediverse = await openFediverse({ hosts: ['remote.test'], now: () => clock() })
const { world, peer, origin, uriOf, deliver, countRows } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')

test('what was received and what was deleted elsewhere is forgotten after 30 days, what was deleted here is not', async () => {
  const alice = await world.createPerson({ username: 'alice' })
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
    await world.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await world.settle()
    const { received_activities, tombstones } = await countRows()
    return { received_activities, tombstones }
  }
  const { received_activities, tombstones } = before
  assert.deepEqual(await prune(29), { received_activities, tombstones })
  assert.deepEqual(await prune(31), { received_activities: 0, tombstones: 1 })

  const gone = await world.server.inject({
    url: new URL(own.uri).pathname,
    headers: { host: new URL(origin).host, accept: 'application/activity+json' },
  })
  assert.equal(gone.statusCode, 410)
  assert.equal((await bob.send(follow, { now })).status, 401)
  assert.equal((await countRows())['follows'], 0)
})
