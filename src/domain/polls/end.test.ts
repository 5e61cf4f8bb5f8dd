import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { hasten } from '../../../test/hasten.ts'
import { makeRemote, makeRemoteStatus } from '../../../test/remote.ts'
import { ask, POLL, vote } from '../../../test/polls.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Status } from '../../entities/status.ts'
import { everyJob } from '../../../test/every-job.ts'
import { notifyPollEnded } from '../notifications/notify-poll-ended.ts'
import { endPoll } from './end.ts'

let now = Date.now()
const world = await openWorld({ env: { DB_POOL: '10' }, now: () => new Date(now) })
after(world.close)
const { ctx } = world

const SECOND_MS = 1_000

/** What somebody was told of the end of polls: whose it was, and which post. */
async function toldOf({ client }: Person): Promise<string[]> {
  await world.settle()
  const { body } = await client.get('/api/v1/notifications?types[]=poll')
  for (const one of body) assertOnWire('Notification', one)
  return body.map((one: { account: { id: string }; status: Status }) => `${one.account.id} ${one.status.id}`)
}

async function waitUntilOver(seconds = POLL.expires_in): Promise<void> {
  now += seconds * SECOND_MS
  await hasten(ctx, 'endPoll')
  await world.settle()
}

/** When the end of a poll is thought of, in whole minutes from now: a job each. */
async function reminders(pollId: string): Promise<number[]> {
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from j.run_at - now()) / 60)::int as minutes
    from ${everyJob} j where j.key like ${`poll:${pollId}%`}`.execute(ctx.db)
  return rows.map((row) => row.minutes)
}

test('when a poll is over its author and who voted here are told, once, and nobody else', async () => {
  const [alice, bob, carol, dave] = await Promise.all([1, 2, 3, 4].map(() => world.createPerson()))
  const { id, poll } = await ask(alice!)
  assert.equal((await vote(bob!, { poll }, 0)).status, 200)
  assert.equal((await vote(carol!, { poll }, 1)).status, 200)
  await alice!.client.post(`/api/v1/accounts/${carol!.accountId}/mute`)
  await world.settle()
  assert.deepEqual(await toldOf(alice!), [])
  await waitUntilOver()
  const told = `${alice!.accountId} ${id}`
  const outcome = [[told], [told], [told], []]
  const all = async () => Promise.all([alice!, bob!, carol!, dave!].map(toldOf))
  assert.deepEqual(await all(), outcome)
  const { body } = await bob!.client.get('/api/v1/notifications')
  assert.deepEqual([body[0].status.poll.expired, body[0].status.poll.own_votes], [true, [0]])
  // FP4 a second job for the same end, and effects that run again
  await Promise.all([endPoll(ctx, { pollId: poll.id }), endPoll(ctx, { pollId: poll.id })])
  await Promise.all([1, 2, 3].map(() => notifyPollEnded(ctx, { pollId: poll.id })))
  assert.deepEqual(await all(), outcome)
})

test('FP4 of two jobs that end a poll at once one does, and each is told once', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const { id, poll } = await ask(alice)
  await vote(bob, { poll }, 0)
  now += POLL.expires_in * SECOND_MS
  await Promise.all(Array.from({ length: 8 }, () => endPoll(ctx, { pollId: poll.id })))
  assert.deepEqual(
    [await toldOf(alice), await toldOf(bob)],
    [[`${alice.accountId} ${id}`], [`${alice.accountId} ${id}`]],
  )
  const endedAt = async () => (await sql`select ended_at from polls where id = ${poll.id}`.execute(ctx.db)).rows
  const once = await endedAt()
  now += SECOND_MS
  await endPoll(ctx, { pollId: poll.id })
  assert.deepEqual(await endedAt(), once)
  const { rows } = await sql`select id from notifications where type = 'poll' and status_id = ${id}`.execute(ctx.db)
  assert.equal(rows.length, 2)
})

test('FP4 a millisecond before the end a vote counts, at the end it does not', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const { poll } = await ask(alice)
  now += POLL.expires_in * SECOND_MS - 1
  assert.equal((await vote(bob, { poll }, 0)).status, 200)
  now += 1
  const late = await carol.client.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  assert.deepEqual([late.status, late.body.error], [422, 'Validation failed: The poll has already ended'])
  await waitUntilOver(0)
  const { body } = await bob.client.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([body.expired, body.votes_count, body.voters_count], [true, 1, 1])
})

test('an edit moves the end, forward and back; one job waits for it', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const { id, poll } = await ask(alice)
  assert.deepEqual(await reminders(poll.id), [10])
  const edit = async (expires_in: number) =>
    alice.client.put(`/api/v1/statuses/${id}`, { status: 'x', poll: { ...POLL, expires_in } })
  await edit(6_000)
  assert.deepEqual(await reminders(poll.id), [100])
  await vote(bob, { poll }, 0)
  // Asked too early, it is put off.
  await waitUntilOver(600)
  assert.deepEqual([await toldOf(bob), await reminders(poll.id)], [[], [90]])
  await edit(300)
  assert.deepEqual(await reminders(poll.id), [5])
  await waitUntilOver(300)
  assert.deepEqual([(await toldOf(bob)).length, await reminders(poll.id)], [1, []])
  // Opened again it takes votes, and its second end is no second notification.
  const again = await edit(300)
  assert.equal(again.body.poll.expired, false)
  const carol = await world.createPerson()
  assert.equal((await vote(carol, { poll }, 1)).status, 200)
  await waitUntilOver(300)
  assert.deepEqual([(await toldOf(alice)).length, (await toldOf(bob)).length, (await toldOf(carol)).length], [1, 1, 1])
})

test('of a poll that is gone, or whose votes are, nobody is told who only voted before', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const [removed, replaced, deleted] = [await ask(alice), await ask(alice), await ask(alice)]
  for (const status of [removed, replaced, deleted]) await vote(bob, status, 0)
  await alice.client.put(`/api/v1/statuses/${removed.id}`, { status: 'x' })
  await alice.client.put(`/api/v1/statuses/${replaced.id}`, {
    status: 'x',
    poll: { ...POLL, options: ['other', 'words'] },
  })
  await alice.client.delete(`/api/v1/statuses/${deleted.id}`)
  await waitUntilOver()
  assert.deepEqual([await toldOf(alice), await toldOf(bob)], [[`${alice.accountId} ${replaced.id}`], []])
})

test('whoever blocks the author by then, or may not see the post any more, is not told', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  const [open, closed] = [await ask(alice), await ask(alice, {}, { visibility: 'private' })]
  assert.equal((await vote(bob, closed, 0)).status, 200)
  assert.equal((await vote(carol, open, 0)).status, 200)
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/unfollow`)
  await carol.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  await waitUntilOver()
  assert.deepEqual([await toldOf(bob), await toldOf(carol)], [[], []])
})

test('who voted in a poll of another server is told five minutes after its end', async () => {
  const [bob, carol] = [await world.createPerson(), await world.createPerson()]
  const accountId = await makeRemote(ctx)
  const statusId = await makeRemoteStatus(ctx, {
    accountId,
    poll: {
      options: ['tea', 'coffee'],
      tallies: [4, 7],
      multiple: false,
      votersCount: null,
      expiresAt: new Date(now + 600 * SECOND_MS),
    },
  })
  const { body: status } = await bob.client.get(`/api/v1/statuses/${statusId}`)
  assert.deepEqual(await reminders(status.poll.id), [])
  const { body } = await bob.client.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [1] })
  assert.deepEqual(
    [body.options.map((one: { votes_count: number }) => one.votes_count), body.votes_count, body.voters_count],
    [[4, 8], 12, null],
  )
  assert.deepEqual([body.voted, body.own_votes, await reminders(status.poll.id)], [true, [1], [15]])
  await waitUntilOver(600 + 300)
  assert.deepEqual([await toldOf(bob), await toldOf(carol)], [[`${accountId} ${statusId}`], []])
})
