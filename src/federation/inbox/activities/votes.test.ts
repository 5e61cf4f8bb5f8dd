import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { makeJobsDue } from '../../../../test/jobs/make-jobs-due.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import { postPoll, countsOf, readPoll, POLL } from '../../../../test/features/polls.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Poll } from '../../../entities/statuses/poll.ts'
import type { Status } from '../../../entities/statuses/status.ts'

let ahead = 0
const fediverse = await openFediverse({
  env: { DB_POOL: '10' },
  hosts: ['remote.test', 'other.test', 'third.test'],
  now: () => new Date(Date.now() + ahead),
})
const { testServer, peer, uriOf, deliver, followEachOther, countRows } = fediverse
after(fediverse.close)

const { ctx } = testServer
const SECOND_MS = 1_000
const [remote, other, third] = [peer.host('remote.test'), peer.host('other.test'), peer.host('third.test')]
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const trent = await third.createActor('trent', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
const carol = await testServer.createUser({ username: 'carol' })
await followEachOther(alice, bob)
// Bob follows alice.
await deliver(bob, bob.activity('Follow', uriOf(alice)))
await testServer.waitForJobs()

beforeEach(async () => {
  await testServer.waitForJobs()
  for (const host of [remote, other, third]) host.inbox.clear()
})

/** Returns a vote of a remote actor. */
function voteOf(actor: PeerActor, uri: string, name: string): Activity {
  const id = `${actor.id}#votes/${randomUUID()}`
  const note = { id, type: 'Note', name, attributedTo: actor.id, inReplyTo: uri, to: uriOf(alice) }
  return actor.activity('Create', note, { to: uriOf(alice) })
}

/** Returns the counts of a poll. */
const read = async (status: { poll: Poll }) => countsOf(await readPoll(alice, status))

/** Returns the tallies in the Updates of a status that each host received. */
const updates = ({ uri }: { uri: string }) =>
  [remote, other, third].map((host) =>
    host.inbox
      .all('Update')
      .filter(({ object }) => object.id === uri)
      .map(({ object }) => (object.oneOf ?? object.anyOf).map(tallyOf)),
  )
const tallyOf = (option: Activity): unknown => option['replies'].totalItems

/** Returns the ids of the statuses about whose polls a user got a notification. */
async function deliveredPollEnds({ client }: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await client.get('/api/v1/notifications?types[]=poll&limit=80')
  return body.map((one: { status: Status }) => one.status.id)
}

async function sendTallies(): Promise<void> {
  await makeJobsDue(ctx, 'deliverPollVotes')
  await testServer.waitForJobs()
}

test('a poll is sent as a Question, and many votes cause a single Update', async () => {
  const status = await postPoll(alice)
  await testServer.waitForJobs()
  const [{ object }] = remote.inbox.all('Create') as [Activity]
  assert.deepEqual(
    [object['type'], object['votersCount'], object['oneOf'].map(({ name }: Activity) => name), object['closed']],
    ['Question', 0, POLL.options, undefined],
  )
  await deliver(bob, voteOf(bob, status.uri, 'coffee'))
  await deliver(mallory, voteOf(mallory, status.uri, 'coffee'))
  await deliver(trent, voteOf(trent, status.uri, 'water'))
  await carol.client.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] })
  assert.deepEqual(await read(status), [[1, 2, 1], 4, 4])
  await testServer.waitForJobs()
  assert.deepEqual(updates(status), [[], [], []])
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from run_at - now()) / 60 as minutes from jobs j
    where key = ${`poll-votes:${status.id} delayed`}`.execute(ctx.db)
  assert.equal(rows.length, 1)
  assert.ok(rows[0]!.minutes <= 3)
  await sendTallies()
  // The followers and all voters get it.
  const one = [[1, 2, 1]]
  assert.deepEqual(updates(status), [one, one, one])
  const update = remote.inbox.all('Update').find(({ object: { id } }) => id === status.uri)!
  assert.deepEqual(
    [update['object'].id, update['object'].type, update['object'].votersCount, update['object'].updated],
    [status.uri, 'Question', 4, undefined],
  )
})

test('a multiple-choice poll counts one activity per choice, and each choice once', async () => {
  const status = await postPoll(alice, { multiple: true })
  const votes = ['tea', 'water', 'tea'].map((name) => voteOf(mallory, status.uri, name))
  await deliver(mallory, ...votes, ...votes)
  assert.deepEqual(await read(status), [[1, 0, 1], 2, 1])
})

test('IN28 one activity may have several choices, as many as the poll allows, and nothing but votes', async () => {
  const [several, single] = [await postPoll(alice, { multiple: true }), await postPoll(alice)]
  const before = await countRows()
  for (const { uri } of [several, single]) {
    const [first, ...others] = ['tea', 'tea', 'water', 'beer'].map((name) => voteOf(mallory, uri, name))
    const objects = [first, ...others, voteOf(bob, uri, 'coffee')].map((vote) => vote!['object'])
    await deliver(mallory, { ...first, object: [...objects, mallory.note({ to: [uriOf(alice)] })] })
  }
  assert.deepEqual(await read(several), [[1, 0, 1], 2, 1])
  assert.deepEqual(await read(single), [[1, 0, 0], 1, 1])
  assert.equal((await countRows())['statuses'], before['statuses'])
})

test('IN28 a vote may have a text, which is not shown: an empty line, or the option again', async () => {
  const status = await postPoll(alice)
  const before = await countRows()
  const { object, ...activity } = voteOf(bob, status.uri, 'tea')
  await deliver(bob, { ...activity, object: { ...object, content: '<br>', summary: '' } })
  const { object: other, ...otherActivity } = voteOf(mallory, status.uri, 'water')
  const content = '<p>water</p>'
  await deliver(mallory, { ...otherActivity, object: { ...other, content, contentMap: { en: content } } })
  // Of an option that the poll never had.
  const { object: third, ...thirdActivity } = voteOf(trent, status.uri, 'beer')
  await deliver(trent, { ...thirdActivity, object: { ...third, content: '<br>' } })
  assert.deepEqual(await read(status), [[1, 0, 1], 2, 2])
  const rows = await countRows()
  assert.deepEqual([rows['statuses'], rows['notifications']], [before['statuses'], before['notifications']])
})

test('IN28 an actor has one vote, which must be in time, valid and in a poll that it can see', async () => {
  const status = await postPoll(alice)
  const followersOnly = await postPoll(alice, {}, { visibility: 'private' })
  const localOnly = await postPoll(alice, {}, { local_only: true })
  const { body: plain } = await alice.client.post('/api/v1/statuses', { status: 'no poll' })
  const before = await countRows()
  const first = voteOf(mallory, status.uri, 'tea')
  const activities = [
    first,
    first,
    { ...first, id: `${mallory.id}/again` },
    voteOf(mallory, status.uri, 'tea'),
    voteOf(mallory, status.uri, 'coffee'),
    voteOf(trent, status.uri, 'beer'),
    voteOf(trent, status.uri, 'x'.repeat(900_000)),
    voteOf(trent, followersOnly.uri, 'tea'),
    voteOf(trent, localOnly.uri, 'tea'),
    voteOf(trent, plain.uri, 'tea'),
    voteOf(trent, `${status.uri}0`, 'tea'),
  ]
  for (const activity of activities) await deliver(activity['actor'] === mallory.id ? mallory : trent, activity)
  const signedByAnother = voteOf(trent, status.uri, 'tea')
  await mallory.send(signedByAnother)
  const forged = voteOf(mallory, status.uri, 'tea')
  forged['object'].attributedTo = bob.id
  await deliver(mallory, forged)
  ahead += POLL.expires_in * SECOND_MS
  await deliver(bob, voteOf(bob, status.uri, 'tea'))
  await testServer.waitForJobs()
  for (const poll of [status, followersOnly, localOnly]) {
    assert.deepEqual(await read(poll), poll === status ? [[1, 0, 0], 1, 1] : [[0, 0, 0], 0, 0])
  }
  const rows = await countRows()
  assert.deepEqual([rows['statuses'], rows['notifications']], [before['statuses'], before['notifications']])
  assert.equal((await alice.client.get(`/api/v1/statuses/${status.id}`)).body.replies_count, 0)
})

test('IN28 BI17 concurrent votes of one actor count once, and those of several actors count all', async () => {
  const status = await postPoll(alice)
  const votes = Array.from({ length: 10 }, (_none, n) => voteOf(mallory, status.uri, POLL.options[n % 3]!))
  await Promise.all([
    ...votes.map((vote) => mallory.send(vote)),
    bob.send(voteOf(bob, status.uri, 'tea')),
    trent.send(voteOf(trent, status.uri, 'tea')),
  ])
  await testServer.waitForJobs()
  assert.deepEqual((await read(status)).slice(1), [3, 3])
})

test('FP1 a poll accepts no votes of accounts that its author blocks', async () => {
  const eve = await other.createActor('eve', { keys: bob.keys })
  const status = await postPoll(alice)
  const [found] = (await alice.client.get('/api/v1/accounts/search', { q: `@${eve.handle}`, resolve: true })).body
  await alice.client.post(`/api/v1/accounts/${found.id}/block`)
  await deliver(eve, voteOf(eve, status.uri, 'tea'))
  assert.deepEqual(await read(status), [[0, 0, 0], 0, 0])
})

test('at the end of a poll its tallies are sent, hidden ones included, and nothing after that', async () => {
  const status = await postPoll(alice, { hide_totals: true })
  await deliver(mallory, voteOf(mallory, status.uri, 'tea'))
  await sendTallies()
  const hidden = [[null, null, null]]
  assert.deepEqual(updates(status), [hidden, hidden, []])
  for (const host of [remote, other]) host.inbox.clear()
  await deliver(trent, voteOf(trent, status.uri, 'water'))
  ahead += POLL.expires_in * SECOND_MS
  await makeJobsDue(ctx, 'endPoll')
  await testServer.waitForJobs()
  await sendTallies()
  const one = [[1, 0, 1]]
  assert.deepEqual(updates(status), [one, one, one])
  const { object } = remote.inbox.all('Update').find((one) => one['object'].id === status.uri)!
  assert.ok(Date.parse(object.closed) <= Date.now() + ahead)
  assert.ok((await deliveredPollEnds(alice)).includes(status.id))
  assert.ok(!(await deliveredPollEnds(carol)).includes(status.id))
})

test('the tallies of a followers-only poll are sent to the followers only', async () => {
  const status = await postPoll(alice, {}, { visibility: 'private' })
  await deliver(bob, voteOf(bob, status.uri, 'tea'))
  await sendTallies()
  assert.deepEqual(updates(status), [[[1, 0, 0]], [], []])
})

test('VI18 a poll that is replaced by an edit is sent to its recipients and former voters', async () => {
  const status = await postPoll(alice)
  await deliver(mallory, voteOf(mallory, status.uri, 'tea'))
  await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', poll: { ...POLL, options: ['a', 'b'] } })
  await testServer.waitForJobs()
  const one = [[0, 0]]
  assert.deepEqual(updates(status), [one, one, []])
  await deliver(mallory, voteOf(mallory, status.uri, 'b'))
  assert.deepEqual(await read(status), [[0, 1], 1, 1])
  await alice.client.delete(`/api/v1/statuses/${status.id}`)
  await testServer.waitForJobs()
  assert.deepEqual(
    [remote, other, third].map((host) => host.inbox.all('Delete').length),
    [1, 1, 0],
  )
})
