import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import { hasten } from '../../../test/hasten.ts'
import { answer, hang } from '../../../test/peer/behaviour.ts'
import type { Activity, Received } from '../../../test/peer/inbox.ts'
import { figuresOf, look } from '../../../test/polls.ts'
import type { Question } from '../../../test/polls.ts'
import type { Person } from '../../../test/world.ts'
import type { Poll } from '../../entities/poll.ts'
import type { Status } from '../../entities/status.ts'
import { everyJob } from '../../../test/every-job.ts'

let ahead = 0
const fediverse = await openFediverse({ hosts: ['remote.test'], now: () => new Date(Date.now() + ahead) })
const { world, peer, uriOf, deliver, befriend, getStatus } = fediverse
after(fediverse.close)

const { ctx } = world
const MINUTE_MS = 60_000
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const alice = await world.createPerson({ username: 'alice' })
const carol = await world.createPerson({ username: 'carol' })
await befriend(alice, bob)

beforeEach(async () => {
  await world.settle()
  remote.inbox.clear()
})

/** A poll in figures. */
const read = async (status: { poll: Poll }) => figuresOf(await look(alice, status))

/** The posts of whose polls somebody was told that they are over. */
async function endsToldTo({ client }: Person): Promise<string[]> {
  await world.settle()
  const { body } = await client.get('/api/v1/notifications?types[]=poll&limit=80')
  return body.map((one: { status: Status }) => one.status.id)
}

interface Asked {
  note: Activity
  status: Question
}

const option = (name: string, totalItems = 0) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems } })

/** A poll of bob, as alice has it. */
async function hear(fields: object = {}): Promise<Asked> {
  const note = bob.note({
    type: 'Question',
    oneOf: [option('tea', 3), option('coffee', 5)],
    votersCount: 8,
    endTime: new Date(Date.now() + ahead + 60 * MINUTE_MS).toISOString(),
    ...fields,
  })
  await deliver(bob, bob.activity('Create', note, { to: note['to'], cc: note['cc'] }))
  const { id } = await getStatus(note['id'])
  return { note, status: (await alice.client.get(`/api/v1/statuses/${id}`)).body }
}

const voteBy = async (person: Person, { poll }: { poll: Poll }, ...choices: number[]) =>
  (await person.client.post<Poll>(`/api/v1/polls/${poll.id}/votes`, { choices })).body

const later = (text: string): string => new Date(Date.parse(text) + 1).toISOString()

test('a poll of elsewhere takes votes of here: counted at once, and sent to its author alone, one by one', async () => {
  const { note, status } = await hear({ oneOf: undefined, anyOf: [option('tea', 3), option('coffee', 5)] })
  const poll = await voteBy(alice, status, 1, 0)
  assert.deepEqual([poll.voted, poll.own_votes, poll.votes_count, poll.voters_count], [true, [0, 1], 10, 9])
  assert.deepEqual(await read(status), [[4, 6], 10, 9])
  await world.settle()
  const nameOf = ({ activity }: Received): string => activity['object'].name
  const sent = remote.inbox.received.toSorted((one, two) => (nameOf(one) < nameOf(two) ? -1 : 1))
  assert.deepEqual(
    sent.map(({ request, activity: { type, actor, to, object } }) => [request.path, type, actor, to, object.name]),
    ['coffee', 'tea'].map((name) => [new URL(bob.inboxUrl).pathname, 'Create', uriOf(alice), [bob.id], name]),
  )
  for (const { activity } of sent) {
    const { id, ...object } = activity['object']
    assert.match(id, new RegExp(`^${uriOf(alice)}#votes/\\d+$`))
    assert.equal(activity['id'], `${id}/activity`)
    assert.deepEqual(
      [object.type, object.attributedTo, object.inReplyTo, object.to, object.content],
      ['Note', uriOf(alice), note['id'], [bob.id], undefined],
    )
  }
  assert.equal(new Set(sent.map(({ activity }) => activity['id'])).size, 2)
})

test('a poll of elsewhere has the figures that its origin tells, and other options take the votes of here away', async () => {
  const { note, status } = await hear()
  await voteBy(alice, status, 0)
  const tell_ = async (fields: object) => deliver(bob, bob.activity('Update', { ...note, ...fields }))
  await tell_({ oneOf: [option('tea', 40), option('coffee', 50)], votersCount: 90 })
  assert.deepEqual(await read(status), [[40, 50], 90, 90])
  const own = async () => (await alice.client.get<Poll>(`/api/v1/polls/${status.poll.id}`)).body.own_votes
  assert.deepEqual(await own(), [0])
  const updated = new Date(Date.now() + ahead).toISOString()
  await tell_({ oneOf: [option('beer'), option('wine', 1)], votersCount: 1, updated })
  assert.deepEqual([await read(status), await own()], [[[0, 1], 1, 1], []])
  await voteBy(alice, status, 0)
  await tell_({ oneOf: undefined, anyOf: [option('beer'), option('wine', 1)], updated: later(updated) })
  assert.deepEqual(await own(), [])
})

test('a poll of elsewhere whose end moves is told of at its new end, to who voted here', async () => {
  const { note, status } = await hear()
  await voteBy(alice, status, 0)
  const over = { closed: new Date(Date.now() + ahead).toISOString(), oneOf: [option('tea', 4), option('coffee', 5)] }
  const reminders = async () => {
    const { rows } = await sql<{ minutes: number }>`
      select round(extract(epoch from run_at - now()) / 60)::int as minutes from ${everyJob} j
      where key = ${`poll:${status.poll.id} later`}`.execute(ctx.db)
    return rows.map((row) => row.minutes)
  }
  assert.deepEqual(await reminders(), [65])
  await deliver(bob, bob.activity('Update', { ...note, ...over }))
  assert.deepEqual(await reminders(), [5])
  await hasten(ctx, 'endPoll')
  assert.ok((await endsToldTo(alice)).includes(status.id))
  assert.ok(!(await endsToldTo(carol)).includes(status.id))
  const late = await carol.client.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] })
  assert.equal(late.body.error, 'Validation failed: The poll has already ended')
})

test('a poll of elsewhere is asked for again when it is looked at a minute later, once, and not by the anonymous', async () => {
  const { note, status } = await hear()
  const path = new URL(note['id']).pathname
  const asked = () => remote.countRequests(path, 'GET')
  remote.serve({ ...note, oneOf: [option('tea', 7), option('coffee', 9)], votersCount: 16 })
  assert.deepEqual([await read(status), asked()], [[[3, 5], 8, 8], 0])
  ahead += MINUTE_MS + 1
  await world.anonymous.get(`/api/v1/polls/${status.poll.id}`)
  assert.equal(asked(), 0)
  await Promise.all(Array.from({ length: 10 }, () => read(status)))
  assert.deepEqual([await read(status), asked()], [[[7, 9], 16, 16], 1])
  // A host that fails, or does not answer, leaves what is known.
  remote.behave(path, answer(500))
  ahead += MINUTE_MS + 1
  assert.deepEqual([await read(status), asked()], [[[7, 9], 16, 16], 2])
  remote.recover()
  remote.behave(path, hang)
  ahead += MINUTE_MS + 1
  assert.deepEqual([await read(status), asked()], [[[7, 9], 16, 16], 3])
  remote.recover()
  // What its author can't have said counts for nothing.
  remote.serve({
    ...note,
    attributedTo: `${remote.origin}/users/somebody`,
    oneOf: [option('tea', 99), option('coffee')],
  })
  ahead += MINUTE_MS + 1
  assert.deepEqual([await read(status), asked()], [[[7, 9], 16, 16], 4])
  // After its end it is asked for once more, and then never.
  remote.serve({ ...note, oneOf: [option('tea', 8), option('coffee', 9)], votersCount: 17 })
  ahead += 60 * MINUTE_MS
  assert.deepEqual([await read(status), asked()], [[[8, 9], 17, 17], 5])
  ahead += 60 * MINUTE_MS
  assert.deepEqual([await read(status), asked()], [[[8, 9], 17, 17], 5])
})
