import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import { hasten } from '../../../test/hasten.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { ask, figuresOf, look, POLL } from '../../../test/polls.ts'
import type { Person } from '../../../test/world.ts'
import type { Poll } from '../../entities/poll.ts'
import type { Status } from '../../entities/status.ts'
import { everyJob } from '../../../test/every-job.ts'

let ahead = 0
const fediverse = await openFediverse({
  env: { DB_POOL: '10' },
  hosts: ['remote.test', 'other.test', 'third.test'],
  now: () => new Date(Date.now() + ahead),
})
const { world, peer, uriOf, deliver, befriend, countRows } = fediverse
after(fediverse.close)

const { ctx } = world
const SECOND_MS = 1_000
const [remote, other, third] = [peer.host('remote.test'), peer.host('other.test'), peer.host('third.test')]
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const trent = await third.createActor('trent', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
const carol = await world.createPerson({ username: 'carol' })
await befriend(alice, bob)
// Bob follows alice.
await deliver(bob, bob.activity('Follow', uriOf(alice)))
await world.settle()

beforeEach(async () => {
  await world.settle()
  for (const host of [remote, other, third]) host.inbox.clear()
})

/** A vote of somebody elsewhere. */
function voteOf(actor: PeerActor, uri: string, name: string): Activity {
  const id = `${actor.id}#votes/${randomUUID()}`
  const note = { id, type: 'Note', name, attributedTo: actor.id, inReplyTo: uri, to: uriOf(alice) }
  return actor.activity('Create', note, { to: uriOf(alice) })
}

/** A poll in figures. */
const read = async (status: { poll: Poll }) => figuresOf(await look(alice, status))

/** Of the Updates of a post that each host got, what each option has. */
const updates = ({ uri }: { uri: string }) =>
  [remote, other, third].map((host) =>
    host.inbox
      .all('Update')
      .filter(({ object }) => object.id === uri)
      .map(({ object }) => (object.oneOf ?? object.anyOf).map(tallyOf)),
  )
const tallyOf = (option: Activity): unknown => option['replies'].totalItems

/** The posts of whose polls somebody was told that they are over. */
async function endsToldTo({ client }: Person): Promise<string[]> {
  await world.settle()
  const { body } = await client.get('/api/v1/notifications?types[]=poll&limit=80')
  return body.map((one: { status: Status }) => one.status.id)
}

async function tell(): Promise<void> {
  await hasten(ctx, 'deliverTally')
  await world.settle()
}

test('a poll goes out as a Question, votes for it come in, and news of them go out once for many', async () => {
  const status = await ask(alice)
  await world.settle()
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
  await world.settle()
  assert.deepEqual(updates(status), [[], [], []])
  const { rows } = await sql<{ minutes: number }>`
    select extract(epoch from run_at - now()) / 60 as minutes from ${everyJob} j
    where key = ${`tally:${status.id} later`}`.execute(ctx.db)
  assert.equal(rows.length, 1)
  assert.ok(rows[0]!.minutes <= 3)
  await tell()
  // The followers hear of it, and everybody who voted.
  const one = [[1, 2, 1]]
  assert.deepEqual(updates(status), [one, one, one])
  const update = remote.inbox.all('Update').find(({ object: { id } }) => id === status.uri)!
  assert.deepEqual(
    [update['object'].id, update['object'].type, update['object'].votersCount, update['object'].updated],
    [status.uri, 'Question', 4, undefined],
  )
})

test('a poll that several choices are for takes one activity for each, and each once', async () => {
  const status = await ask(alice, { multiple: true })
  const votes = ['tea', 'water', 'tea'].map((name) => voteOf(mallory, status.uri, name))
  await deliver(mallory, ...votes, ...votes)
  assert.deepEqual(await read(status), [[1, 0, 1], 2, 1])
})

test('IN28 one vote a person counts: not twice, not late, not for nothing, not unseen', async () => {
  const status = await ask(alice)
  const secret = await ask(alice, {}, { visibility: 'private' })
  const inside = await ask(alice, {}, { local_only: true })
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
    voteOf(trent, secret.uri, 'tea'),
    voteOf(trent, inside.uri, 'tea'),
    voteOf(trent, plain.uri, 'tea'),
    voteOf(trent, `${status.uri}0`, 'tea'),
  ]
  for (const activity of activities) await deliver(activity['actor'] === mallory.id ? mallory : trent, activity)
  const signedByAnother = voteOf(trent, status.uri, 'tea')
  await mallory.send(signedByAnother)
  const ofAnother = voteOf(mallory, status.uri, 'tea')
  ofAnother['object'].attributedTo = bob.id
  await deliver(mallory, ofAnother)
  ahead += POLL.expires_in * SECOND_MS
  await deliver(bob, voteOf(bob, status.uri, 'tea'))
  await world.settle()
  for (const poll of [status, secret, inside]) {
    assert.deepEqual(await read(poll), poll === status ? [[1, 0, 0], 1, 1] : [[0, 0, 0], 0, 0])
  }
  const rows = await countRows()
  assert.deepEqual([rows['statuses'], rows['notifications']], [before['statuses'], before['notifications']])
  assert.equal((await alice.client.get(`/api/v1/statuses/${status.id}`)).body.replies_count, 0)
})

test('IN28 BI17 many votes of one person at once are one, and those of many are many', async () => {
  const status = await ask(alice)
  const votes = Array.from({ length: 10 }, (_none, n) => voteOf(mallory, status.uri, POLL.options[n % 3]!))
  await Promise.all([
    ...votes.map((vote) => mallory.send(vote)),
    bob.send(voteOf(bob, status.uri, 'tea')),
    trent.send(voteOf(trent, status.uri, 'tea')),
  ])
  await world.settle()
  assert.deepEqual((await read(status)).slice(1), [3, 3])
})

test('FP1 takes no votes from whom its author blocks', async () => {
  const eve = await other.createActor('eve', { keys: bob.keys })
  const status = await ask(alice)
  const [found] = (await alice.client.get('/api/v1/accounts/search', { q: `@${eve.handle}`, resolve: true })).body
  await alice.client.post(`/api/v1/accounts/${found.id}/block`)
  await deliver(eve, voteOf(eve, status.uri, 'tea'))
  assert.deepEqual(await read(status), [[0, 0, 0], 0, 0])
})

test('a poll tells its figures when it is over, those that were hidden too, and nothing after that', async () => {
  const status = await ask(alice, { hide_totals: true })
  await deliver(mallory, voteOf(mallory, status.uri, 'tea'))
  await tell()
  const hidden = [[null, null, null]]
  assert.deepEqual(updates(status), [hidden, hidden, []])
  for (const host of [remote, other]) host.inbox.clear()
  await deliver(trent, voteOf(trent, status.uri, 'water'))
  ahead += POLL.expires_in * SECOND_MS
  await hasten(ctx, 'endPoll')
  await world.settle()
  await tell()
  const one = [[1, 0, 1]]
  assert.deepEqual(updates(status), [one, one, one])
  const { object } = remote.inbox.all('Update').find((one) => one['object'].id === status.uri)!
  assert.ok(Date.parse(object.closed) <= Date.now() + ahead)
  assert.ok((await endsToldTo(alice)).includes(status.id))
  assert.ok(!(await endsToldTo(carol)).includes(status.id))
})

test('a poll for followers tells only them how it goes', async () => {
  const status = await ask(alice, {}, { visibility: 'private' })
  await deliver(bob, voteOf(bob, status.uri, 'tea'))
  await tell()
  assert.deepEqual(updates(status), [[[1, 0, 0]], [], []])
})

test('VI18 a poll that is another one after an edit says so to who had voted, and to who has it', async () => {
  const status = await ask(alice)
  await deliver(mallory, voteOf(mallory, status.uri, 'tea'))
  await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', poll: { ...POLL, options: ['a', 'b'] } })
  await world.settle()
  const one = [[0, 0]]
  assert.deepEqual(updates(status), [one, one, []])
  await deliver(mallory, voteOf(mallory, status.uri, 'b'))
  assert.deepEqual(await read(status), [[0, 1], 1, 1])
  await alice.client.delete(`/api/v1/statuses/${status.id}`)
  await world.settle()
  assert.deepEqual(
    [remote, other, third].map((host) => host.inbox.all('Delete').length),
    [1, 1, 0],
  )
})
