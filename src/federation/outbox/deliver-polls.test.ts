import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import { respondWith, neverRespond } from '../../../test/federation/peer/behaviour.ts'
import type { Activity, ReceivedActivity } from '../../../test/federation/peer/inbox.ts'
import { countsOf, readPoll } from '../../../test/features/polls.ts'
import type { StatusWithPoll } from '../../../test/features/polls.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Poll } from '../../entities/statuses/poll.ts'
import type { Status } from '../../entities/statuses/status.ts'

let ahead = 0
const fediverse = await openFediverse({ hosts: ['remote.test'], now: () => new Date(Date.now() + ahead) })
const { testServer, peer, uriOf, deliver, followEachOther, getStatus } = fediverse
after(fediverse.close)

const { ctx } = testServer
const MINUTE_MS = 60_000
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
const carol = await testServer.createUser({ username: 'carol' })
await followEachOther(alice, bob)

beforeEach(async () => {
  await testServer.waitForJobs()
  remote.inbox.clear()
})

/** Returns the counts of a poll. */
const read = async (status: { poll: Poll }) => countsOf(await readPoll(alice, status))

/** Returns the ids of the statuses about whose polls a user got a notification. */
async function deliveredPollEnds({ client }: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await client.get('/api/v1/notifications?types[]=poll&limit=80')
  return body.map((one: { status: Status }) => one.status.id)
}

interface RemotePoll {
  note: Activity
  status: StatusWithPoll
}

const option = (name: string, totalItems = 0) => ({ type: 'Note', name, replies: { type: 'Collection', totalItems } })

/** Delivers a poll by bob and returns it as alice sees it. */
async function deliverPoll(fields: object = {}): Promise<RemotePoll> {
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

const voteBy = async (user: TestUser, { poll }: { poll: Poll }, ...choices: number[]) =>
  (await user.client.post<Poll>(`/api/v1/polls/${poll.id}/votes`, { choices })).body

const later = (text: string): string => new Date(Date.parse(text) + 1).toISOString()

test('a vote in a remote poll is counted at once, and each choice is sent to the poll’s author alone', async () => {
  const { note, status } = await deliverPoll({ oneOf: undefined, anyOf: [option('tea', 3), option('coffee', 5)] })
  const poll = await voteBy(alice, status, 1, 0)
  assert.deepEqual([poll.voted, poll.own_votes, poll.votes_count, poll.voters_count], [true, [0, 1], 10, 9])
  assert.deepEqual(await read(status), [[4, 6], 10, 9])
  await testServer.waitForJobs()
  const nameOf = ({ activity }: ReceivedActivity): string => activity['object'].name
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

test('a remote poll has the tallies of its origin, and a change of its options deletes the local votes', async () => {
  const { note, status } = await deliverPoll()
  await voteBy(alice, status, 0)
  const sendUpdate = async (fields: object) => deliver(bob, bob.activity('Update', { ...note, ...fields }))
  await sendUpdate({ oneOf: [option('tea', 40), option('coffee', 50)], votersCount: 90 })
  assert.deepEqual(await read(status), [[40, 50], 90, 90])
  const own = async () => (await alice.client.get<Poll>(`/api/v1/polls/${status.poll.id}`)).body.own_votes
  assert.deepEqual(await own(), [0])
  const updated = new Date(Date.now() + ahead).toISOString()
  await sendUpdate({ oneOf: [option('beer'), option('wine', 1)], votersCount: 1, updated })
  assert.deepEqual([await read(status), await own()], [[[0, 1], 1, 1], []])
  await voteBy(alice, status, 0)
  await sendUpdate({ oneOf: undefined, anyOf: [option('beer'), option('wine', 1)], updated: later(updated) })
  assert.deepEqual(await own(), [])
})

test('local voters of a remote poll are notified at its new end if that changes', async () => {
  const { note, status } = await deliverPoll()
  await voteBy(alice, status, 0)
  const over = { closed: new Date(Date.now() + ahead).toISOString(), oneOf: [option('tea', 4), option('coffee', 5)] }
  const reminders = async () => {
    const { rows } = await sql<{ minutes: number }>`
      select round(extract(epoch from run_at - now()) / 60)::int as minutes from jobs j
      where key = ${`poll:${status.poll.id} delayed`}`.execute(ctx.db)
    return rows.map((row) => row.minutes)
  }
  assert.deepEqual(await reminders(), [65])
  await deliver(bob, bob.activity('Update', { ...note, ...over }))
  assert.deepEqual(await reminders(), [5])
  await makeJobsDue(ctx, 'endPoll')
  assert.ok((await deliveredPollEnds(alice)).includes(status.id))
  assert.ok(!(await deliveredPollEnds(carol)).includes(status.id))
  const late = await carol.client.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] })
  assert.equal(late.body.error, 'Validation failed: The poll has already ended')
})

test('a remote poll is refreshed when a user reads it a minute later, but not for anonymous requests', async () => {
  const { note, status } = await deliverPoll()
  const path = new URL(note['id']).pathname
  const requestCount = () => remote.countRequests(path, 'GET')
  remote.serve({ ...note, oneOf: [option('tea', 7), option('coffee', 9)], votersCount: 16 })
  assert.deepEqual([await read(status), requestCount()], [[[3, 5], 8, 8], 0])
  ahead += MINUTE_MS + 1
  await testServer.anonymous.get(`/api/v1/polls/${status.poll.id}`)
  assert.equal(requestCount(), 0)
  await Promise.all(Array.from({ length: 10 }, () => read(status)))
  assert.deepEqual([await read(status), requestCount()], [[[7, 9], 16, 16], 1])
  // If the host fails or does not respond, the stored poll is returned.
  remote.behave(path, respondWith(500))
  ahead += MINUTE_MS + 1
  assert.deepEqual([await read(status), requestCount()], [[[7, 9], 16, 16], 2])
  remote.recover()
  remote.behave(path, neverRespond)
  ahead += MINUTE_MS + 1
  assert.deepEqual([await read(status), requestCount()], [[[7, 9], 16, 16], 3])
  remote.recover()
  // A document that claims another author is ignored.
  remote.serve({
    ...note,
    attributedTo: `${remote.origin}/users/other`,
    oneOf: [option('tea', 99), option('coffee')],
  })
  ahead += MINUTE_MS + 1
  assert.deepEqual([await read(status), requestCount()], [[[7, 9], 16, 16], 4])
  // After its end it is fetched once more, and then never again.
  remote.serve({ ...note, oneOf: [option('tea', 8), option('coffee', 9)], votersCount: 17 })
  ahead += 60 * MINUTE_MS
  assert.deepEqual([await read(status), requestCount()], [[[8, 9], 17, 17], 5])
  ahead += 60 * MINUTE_MS
  assert.deepEqual([await read(status), requestCount()], [[[8, 9], 17, 17], 5])
})
