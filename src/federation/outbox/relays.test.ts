import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { deleteAccount } from '../../domain/account-deletion/delete-account.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { Activity } from '../../../test/federation/peer/inbox.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import { PUBLIC } from '../wire/context.ts'

const PATH = '/api/v1/admin/relays'

const fediverse = await openFediverse({ hosts: ['relay.test', 'far.test'] })
after(() => fediverse.close())
const { testServer, peer, origin } = fediverse
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })
const ann = await testServer.createUser({ username: 'ann' })
const host = peer.host('relay.test')
const relay = await host.createActor('relay', { type: 'Application' })
const bob = await peer.host('far.test').createActor('bob')

const instanceActor = `${origin}/actor`

async function stateOf(id: string): Promise<string> {
  await testServer.waitForJobs()
  return (await admin.client.get(`${PATH}/${id}`)).body.state
}

/** Adds the relay, which accepts. Returns its id. */
async function subscribe(): Promise<string> {
  const { body } = await admin.client.post(PATH, { inbox_url: host.sharedInboxUrl })
  const { activity } = await host.inbox.next(({ type }) => type === 'Follow')
  await fediverse.deliver(relay, relay.activity('Accept', activity))
  return body.id
}

async function unsubscribe(id: string): Promise<void> {
  await admin.client.delete(`${PATH}/${id}`)
  await testServer.waitForJobs()
  host.inbox.clear()
}

async function post(visibility: string): Promise<{ id: string; uri: string }> {
  const { body } = await ann.client.post('/api/v1/statuses', { status: `words ${visibility}`, visibility })
  await testServer.waitForJobs()
  return body
}

const receivedTypes = () => host.inbox.received.map(({ activity }) => activity.type)

test('an added relay gets a Follow of the public collection by the instance actor, and its answer is shown', async () => {
  const { body: added } = await admin.client.post(PATH, { inbox_url: host.sharedInboxUrl })
  assert.equal(added.state, 'pending')
  const { activity } = await host.inbox.next(({ type }) => type === 'Follow')
  assert.deepEqual([activity['actor'], activity['object']], [instanceActor, PUBLIC])
  await fediverse.deliver(bob, bob.activity('Accept', activity))
  assert.equal(await stateOf(added.id), 'pending', 'another server cannot answer')
  await fediverse.deliver(relay, relay.activity('Accept', activity['id']))
  assert.equal(await stateOf(added.id), 'accepted')
  await fediverse.deliver(relay, relay.activity('Reject', activity))
  assert.equal(await stateOf(added.id), 'rejected')
  await admin.client.delete(`${PATH}/${added.id}`)
  const { activity: undo } = await host.inbox.next(({ type }) => type === 'Undo')
  assert.deepEqual([undo['actor'], (undo['object'] as { id: string }).id], [instanceActor, activity['id']])
  host.inbox.clear()
})

test('a relay gets public posts, their edits and their deletions, no other posts, and changed profiles', async () => {
  const id = await subscribe()
  host.inbox.clear()
  const { id: statusId } = await post('public')
  for (const visibility of ['unlisted', 'private', 'direct']) await post(visibility)
  assert.deepEqual(receivedTypes(), ['Create'])
  await ann.client.put(`/api/v1/statuses/${statusId}`, { status: 'other words' })
  await testServer.waitForJobs()
  await ann.client.delete(`/api/v1/statuses/${statusId}`)
  await testServer.waitForJobs()
  await ann.client.patch('/api/v1/accounts/update_credentials', { display_name: 'Ann' })
  await makeJobsDue(testServer.ctx, 'deliverProfile')
  await testServer.waitForJobs()
  assert.deepEqual(receivedTypes(), ['Create', 'Update', 'Delete', 'Update'])
  await unsubscribe(id)
  await post('public')
  assert.deepEqual(receivedTypes(), [])
})

test('a relay gets the Delete of an account that its user or the staff delete', async () => {
  const id = await subscribe()
  const [cas, dan] = [await testServer.createUser(), await testServer.createUser()]
  for (const { client } of [cas, dan]) await client.post('/api/v1/statuses', { status: 'words' })
  await testServer.waitForJobs()
  host.inbox.clear()
  await testServer.ctx.write((tx) => deleteAccount(tx, { accountId: cas.accountId }))
  await admin.client.post(`/api/v1/admin/accounts/${dan.accountId}/action`, { type: 'suspend' })
  await admin.client.delete(`/api/v1/admin/accounts/${dan.accountId}`)
  await testServer.waitForJobs()
  const deletes = host.inbox.received.map(({ activity }) => activity).filter(({ type }) => type === 'Delete')
  const uris = new Set([cas, dan].map(({ accountId }) => `${origin}/ap/users/${accountId}`))
  assert.deepEqual(new Set(deletes.map(({ actor }) => actor)), uris)
  assert.deepEqual(new Set(deletes.map(({ object }) => object)), uris)
  await unsubscribe(id)
})

test('a post that a relay announces or forwards is stored, without a boost, and those of other servers are not', async () => {
  const [announced, forwarded, unrelated, later] = [bob.note(), bob.note(), bob.note(), bob.note()]
  const createOf = (note: Activity) => ({
    ...bob.activity('Create', note, { to: note['to'] }),
    signature: { type: 'RsaSignature2017', creator: bob.keyId, signatureValue: 'x' },
  })
  const cy = await peer.host('far.test').createActor('cy')
  await fediverse.deliver(relay, relay.activity('Announce', unrelated['id']), createOf(unrelated))
  await fediverse.deliver(cy, cy.activity('Announce', unrelated['id']))
  assert.equal(await fediverse.findStatus(unrelated['id']), undefined)
  const id = await subscribe()
  await fediverse.deliver(relay, relay.activity('Announce', announced['id']), createOf(forwarded))
  assert.equal((await fediverse.getStatus(announced['id'])).visibility, 'public')
  await fediverse.getStatus(forwarded['id'])
  const { boosts } = await testServer.ctx.db
    .selectFrom('statuses')
    .select((eb) => eb.fn.countAll<string>().as('boosts'))
    .where('reblog_of_id', 'is not', null)
    .executeTakeFirstOrThrow()
  assert.equal(Number(boosts), 0)
  const { body: timeline } = await ann.client.get('/api/v1/timelines/public', { remote: true })
  assert.deepEqual(
    new Set(timeline.map(({ uri }: { uri: string }) => uri)),
    new Set([announced['id'], forwarded['id']]),
  )
  await unsubscribe(id)
  await fediverse.deliver(relay, relay.activity('Announce', later['id']))
  assert.equal(await fediverse.findStatus(later['id']), undefined)
})
