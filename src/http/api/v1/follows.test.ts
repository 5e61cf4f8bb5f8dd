import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/fediverse.ts'
import type { Person } from '../../../../test/world.ts'
import type { Account } from '../../../entities/account.ts'
import type { Relationship } from '../../../entities/relationship.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { world, peer } = fediverse
after(fediverse.close)
const remote = peer.host('remote.test')

const follow = ({ client }: Person, uri: string) => client.post<Account>('/api/v1/follows', { uri })
async function relation({ client }: Person, id: string): Promise<Relationship> {
  return (await client.get<Relationship[]>('/api/v1/accounts/relationships', { id: [id] })).body[0]!
}

test('a follow by handle is no error where there is a follow already, or somebody has to be asked', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const locked = await world.createPerson({ locked: true })
  for (const _again of [1, 2]) {
    const [free, asked] = [await follow(alice, bob.username), await follow(alice, locked.username)]
    assert.deepEqual(
      [free.status, free.body.id, asked.status, asked.body.id],
      [200, bob.accountId, 200, locked.accountId],
    )
    assert.equal((await relation(alice, bob.accountId)).following, true)
    const { following, requested } = await relation(alice, locked.accountId)
    assert.deepEqual([following, requested], [false, true])
  }
  const { body } = await world.anonymous.get<Account>(`/api/v1/accounts/${bob.accountId}`)
  assert.equal(body.followers_count, 1)
  await world.settle()
  const kinds = (await bob.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
  assert.deepEqual(kinds, ['follow'])
})

test('a follow by handle finds people of other servers and asks them; what the request says holds when they agree', async () => {
  const alice = await world.createPerson()
  const far = await remote.createActor('far')
  const { status, body } = await follow(alice, ` @${far.handle} `)
  assert.deepEqual([status, body.acct], [200, far.handle])
  await alice.client.post(`/api/v1/accounts/${body.id}/follow`, { reblogs: false })
  assert.equal((await follow(alice, far.handle)).status, 200)
  const { requested, showing_reblogs: showsBoosts } = await relation(alice, body.id)
  assert.deepEqual([requested, showsBoosts], [true, false])
  await world.settle()
  const asked = remote.inbox.received.map(({ activity }) => [activity.type, activity['object']])
  assert.deepEqual(asked, [['Follow', far.id]])
  await fediverse.deliver(far, far.activity('Accept', remote.inbox.received[0]!.activity))
  const agreed = await relation(alice, body.id)
  assert.deepEqual([agreed.following, agreed.requested, agreed.showing_reblogs], [true, false, false])
  for (const uri of ['nobody@remote.test', 'nobody@nowhere.test']) assert.equal((await follow(alice, uri)).status, 404)
})
