import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../../test/federation/fediverse.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Account } from '../../../../entities/accounts/account.ts'
import type { Relationship } from '../../../../entities/accounts/relationship.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer } = fediverse
after(fediverse.close)
const remote = peer.host('remote.test')

const follow = ({ client }: TestUser, uri: string) => client.post<Account>('/api/v1/follows', { uri })
async function readRelationship({ client }: TestUser, id: string): Promise<Relationship> {
  return (await client.get<Relationship[]>('/api/v1/accounts/relationships', { id: [id] })).body[0]!
}

test('a follow by handle succeeds for an existing follow and for a locked account', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const locked = await testServer.createUser({ locked: true })
  for (const _again of [1, 2]) {
    const [followed, requested] = [await follow(alice, bob.username), await follow(alice, locked.username)]
    assert.deepEqual(
      [followed.status, followed.body.id, requested.status, requested.body.id],
      [200, bob.accountId, 200, locked.accountId],
    )
    assert.equal((await readRelationship(alice, bob.accountId)).following, true)
    const relationship = await readRelationship(alice, locked.accountId)
    assert.deepEqual([relationship.following, relationship.requested], [false, true])
  }
  const { body } = await testServer.anonymous.get<Account>(`/api/v1/accounts/${bob.accountId}`)
  assert.equal(body.followers_count, 1)
  await testServer.waitForJobs()
  const types = (await bob.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
  assert.deepEqual(types, ['follow'])
})

test('a follow by handle resolves remote accounts; its options apply once the account accepts', async () => {
  const alice = await testServer.createUser()
  const actor = await remote.createActor('actor')
  const { status, body } = await follow(alice, ` @${actor.handle} `)
  assert.deepEqual([status, body.acct], [200, actor.handle])
  await alice.client.post(`/api/v1/accounts/${body.id}/follow`, { reblogs: false })
  assert.equal((await follow(alice, actor.handle)).status, 200)
  const { requested, showing_reblogs: showsReblogs } = await readRelationship(alice, body.id)
  assert.deepEqual([requested, showsReblogs], [true, false])
  await testServer.waitForJobs()
  const sent = remote.inbox.received.map(({ activity }) => [activity.type, activity['object']])
  assert.deepEqual(sent, [['Follow', actor.id]])
  await fediverse.deliver(actor, actor.activity('Accept', remote.inbox.received[0]!.activity))
  const accepted = await readRelationship(alice, body.id)
  assert.deepEqual([accepted.following, accepted.requested, accepted.showing_reblogs], [true, false, false])
  for (const uri of ['nobody@remote.test', 'nobody@nowhere.test']) assert.equal((await follow(alice, uri)).status, 404)
})
