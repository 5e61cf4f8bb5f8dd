import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { redirectTo } from '../../../../test/federation/peer/behaviour.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

const HOUR_MS = 3_600_000
let later = 0
const fediverse = await openFediverse({ hosts: ['remote.test'], now: () => new Date(Date.now() + later) })
const { testServer, peer, deliver, findStatus, getStatus, show, uriOf } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
await fediverse.followEachOther(alice, bob)

const options = ['tea', 'coffee'].map((name) => ({
  type: 'Note',
  name,
  replies: { type: 'Collection', totalItems: 0 },
}))
const pathOf = (note: Activity) => new URL(String(note['id'])).pathname

/** Delivers a note by bob and lets an hour pass, so that it may be fetched again. */
async function deliverOldNote(fields: Record<string, unknown> = {}): Promise<Activity> {
  const published = new Date(Date.now() + later - HOUR_MS).toISOString()
  const note = bob.note({ published, ...fields })
  await deliver(bob, bob.activity('Create', note, { to: note['to'], cc: note['cc'] }))
  return note
}

async function refreshPollOf(note: Activity): Promise<number> {
  const { poll } = await show(alice, note['id'])
  later += HOUR_MS
  return (await alice.client.get(`/api/v1/polls/${poll!.id}`)).status
}

async function openThread({ id }: { id: string }): Promise<void> {
  await alice.client.get(`/api/v1/statuses/${id}/context`)
  await testServer.waitForJobs()
}

test('a poll whose server responds with 404 is deleted when a user reads it', async () => {
  const poll = await deliverOldNote({ type: 'Question', oneOf: options })
  remote.withdraw(poll['id'])
  assert.equal(await refreshPollOf(poll), 404)
  assert.equal(await findStatus(poll['id']), undefined)
})

test('a status and a reply whose server responds with 404 are deleted when a user opens their thread', async () => {
  const root = await deliverOldNote()
  const reply = await deliverOldNote({ inReplyTo: root['id'] })
  const replies = remote.serveCollection(`${pathOf(root)}/replies`, [reply['id']], { type: 'Collection' })
  remote.serve({ ...root, replies })
  remote.withdraw(reply['id'])
  const status = await getStatus(root['id'])
  await openThread(status)
  assert.equal(await findStatus(reply['id']), undefined)
  assert.ok(await findStatus(root['id']))
  remote.withdraw(root['id'])
  later += HOUR_MS
  await openThread(status)
  assert.equal(await findStatus(root['id']), undefined)
})

test('a poll is deleted if its server responds with its Tombstone, but not with that of another object', async () => {
  const [poll, other] = [await deliverOldNote({ type: 'Question', oneOf: options }), bob.note()]
  const tombstone = { '@context': other['@context'], type: 'Tombstone' }
  remote.serve({ ...tombstone, id: other['id'] })
  remote.serveAt(pathOf(poll), { ...tombstone, id: other['id'] })
  assert.equal(await refreshPollOf(poll), 200)
  remote.serve({ ...tombstone, id: poll['id'] })
  assert.equal(await refreshPollOf(poll), 404)
  assert.equal(await findStatus(poll['id']), undefined)
})

test('a followers-only poll stays stored although its server responds with 404', async () => {
  const poll = await deliverOldNote({ type: 'Question', oneOf: options, to: [bob.followersUrl], cc: [uriOf(alice)] })
  remote.withdraw(poll['id'])
  assert.equal(await refreshPollOf(poll), 200)
  assert.ok(await findStatus(poll['id']))
})

test('a status stays stored if only the target of a redirect does not exist', async () => {
  const poll = await deliverOldNote({ type: 'Question', oneOf: options })
  remote.behave(pathOf(poll), redirectTo('https://remote.test/nothing'))
  assert.equal(await refreshPollOf(poll), 200)
  assert.ok(await findStatus(poll['id']))
})
