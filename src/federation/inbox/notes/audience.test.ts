import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { PUBLIC } from '../../../../test/federation/peer/actor.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer, uriOf, deliver, followEachOther, findStatus, getStatus } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
await followEachOther(alice, bob)

test('a note without an audience has that of its Create, or of its Update', async () => {
  const [shared, privately, later] = Array.from({ length: 3 }, () => bob.note({ to: undefined, cc: undefined }))
  await deliver(
    bob,
    bob.activity('Create', shared, { to: [PUBLIC], cc: [bob.followersUrl] }),
    bob.activity('Create', privately, { to: [bob.followersUrl] }),
    bob.activity('Update', later, { to: PUBLIC }),
  )
  assert.equal((await getStatus(shared!['id'])).visibility, 'public')
  assert.equal((await getStatus(privately!['id'])).visibility, 'private')
  assert.equal((await getStatus(later!['id'])).visibility, 'public')
})

test('the audience of an activity does not extend that of its note', async () => {
  const direct = bob.note({ to: [uriOf(alice)], cc: undefined })
  const unaddressed = bob.note({ to: [], cc: [] })
  const audience = { to: [PUBLIC], cc: [PUBLIC, bob.followersUrl] }
  await deliver(bob, bob.activity('Create', direct, audience), bob.activity('Create', unaddressed, audience))
  assert.equal((await getStatus(direct['id'])).visibility, 'direct')
  assert.equal(await findStatus(unaddressed['id']), undefined)
})
