import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../test/federation/remote-records.ts'
import { postPoll, POLL, vote } from '../../../test/features/polls.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { createUsers } from '../../../test/servers/create-users.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { notifyPollEnded } from '../notifications/notify/notify-poll-ended.ts'
import { endPoll } from './end-poll.ts'

let now = Date.now()
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => new Date(now) })
after(testServer.close)
const { ctx } = testServer

const SECOND_MS = 1_000

/** Returns the user's notifications of ended polls, each as author id and status id. */
async function listPollNotifications({ client }: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await client.get('/api/v1/notifications?types[]=poll')
  for (const one of body) assertEntity('Notification', one)
  return body.map((one: { account: { id: string }; status: Status }) => `${one.account.id} ${one.status.id}`)
}

async function endPollsAfter(seconds = POLL.expires_in): Promise<void> {
  now += seconds * SECOND_MS
  await makeJobsDue(ctx, 'endPoll')
  await testServer.waitForJobs()
}

/** Returns the run times of the jobs that end the poll, in whole minutes from now. */
async function listScheduledEnds(pollId: string): Promise<number[]> {
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from j.run_at - now()) / 60)::int as minutes
    from jobs j where j.key like ${`poll:${pollId}%`}`.execute(ctx.db)
  return rows.map((row) => row.minutes)
}

test('when a poll ends, its author and the local voters are notified once, and no other user', async () => {
  const [alice, bob, carol, dave] = await Promise.all([1, 2, 3, 4].map(() => testServer.createUser()))
  const { id, poll } = await postPoll(alice!)
  assert.equal((await vote(bob!, { poll }, 0)).status, 200)
  assert.equal((await vote(carol!, { poll }, 1)).status, 200)
  await alice!.client.post(`/api/v1/accounts/${carol!.accountId}/mute`)
  await testServer.waitForJobs()
  assert.deepEqual(await listPollNotifications(alice!), [])
  await endPollsAfter()
  const notification = `${alice!.accountId} ${id}`
  const expected = [[notification], [notification], [notification], []]
  const listAll = async () => Promise.all([alice!, bob!, carol!, dave!].map(listPollNotifications))
  assert.deepEqual(await listAll(), expected)
  const { body } = await bob!.client.get('/api/v1/notifications')
  assert.deepEqual([body[0].status.poll.expired, body[0].status.poll.own_votes], [true, [0]])
  // FP4 a second job for the same end, and effects that run again
  await Promise.all([endPoll(ctx, { pollId: poll.id }), endPoll(ctx, { pollId: poll.id })])
  await Promise.all([1, 2, 3].map(() => notifyPollEnded(ctx, { pollId: poll.id })))
  assert.deepEqual(await listAll(), expected)
})

test('FP4 parallel jobs end a poll only once, and each user is notified once', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const { id, poll } = await postPoll(alice)
  await vote(bob, { poll }, 0)
  now += POLL.expires_in * SECOND_MS
  await Promise.all(Array.from({ length: 8 }, () => endPoll(ctx, { pollId: poll.id })))
  assert.deepEqual(
    [await listPollNotifications(alice), await listPollNotifications(bob)],
    [[`${alice.accountId} ${id}`], [`${alice.accountId} ${id}`]],
  )
  const endedAt = async () => (await sql`select ended_at from polls where id = ${poll.id}`.execute(ctx.db)).rows
  const firstEnd = await endedAt()
  now += SECOND_MS
  await endPoll(ctx, { pollId: poll.id })
  assert.deepEqual(await endedAt(), firstEnd)
  const { rows } = await sql`select id from notifications where type = 'poll' and status_id = ${id}`.execute(ctx.db)
  assert.equal(rows.length, 2)
})

test('FP4 a vote counts one millisecond before the end, and is refused at the end', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const { poll } = await postPoll(alice)
  now += POLL.expires_in * SECOND_MS - 1
  assert.equal((await vote(bob, { poll }, 0)).status, 200)
  now += 1
  const late = await carol.client.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  assert.deepEqual([late.status, late.body.error], [422, 'Validation failed: The poll has already ended'])
  await endPollsAfter(0)
  const { body } = await bob.client.get(`/api/v1/polls/${poll.id}`)
  assert.deepEqual([body.expired, body.votes_count, body.voters_count], [true, 1, 1])
})

test('an edit moves the end of a poll later and earlier, and there is always one job for it', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const { id, poll } = await postPoll(alice)
  assert.deepEqual(await listScheduledEnds(poll.id), [10])
  const edit = async (expires_in: number) =>
    alice.client.put(`/api/v1/statuses/${id}`, { status: 'x', poll: { ...POLL, expires_in } })
  await edit(6_000)
  assert.deepEqual(await listScheduledEnds(poll.id), [100])
  await vote(bob, { poll }, 0)
  // A job that runs too early is rescheduled.
  await endPollsAfter(600)
  assert.deepEqual([await listPollNotifications(bob), await listScheduledEnds(poll.id)], [[], [90]])
  await edit(300)
  assert.deepEqual(await listScheduledEnds(poll.id), [5])
  await endPollsAfter(300)
  assert.deepEqual([(await listPollNotifications(bob)).length, await listScheduledEnds(poll.id)], [1, []])
  // A reopened poll accepts votes, and its second end does not notify the same users again.
  const reopened = await edit(300)
  assert.equal(reopened.body.poll.expired, false)
  const carol = await testServer.createUser()
  assert.equal((await vote(carol, { poll }, 1)).status, 200)
  await endPollsAfter(300)
  assert.deepEqual(
    [
      (await listPollNotifications(alice)).length,
      (await listPollNotifications(bob)).length,
      (await listPollNotifications(carol)).length,
    ],
    [1, 1, 1],
  )
})

test('voters are not notified of the end of a poll that was deleted or whose votes were reset', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const [removed, replaced, deleted] = [await postPoll(alice), await postPoll(alice), await postPoll(alice)]
  for (const status of [removed, replaced, deleted]) await vote(bob, status, 0)
  await alice.client.put(`/api/v1/statuses/${removed.id}`, { status: 'x' })
  await alice.client.put(`/api/v1/statuses/${replaced.id}`, {
    status: 'x',
    poll: { ...POLL, options: ['other', 'words'] },
  })
  await alice.client.delete(`/api/v1/statuses/${deleted.id}`)
  await endPollsAfter()
  assert.deepEqual(
    [await listPollNotifications(alice), await listPollNotifications(bob)],
    [[`${alice.accountId} ${replaced.id}`], []],
  )
})

test('a voter who has blocked the author, or may not see the status any more, is not notified', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  const [open, closed] = [await postPoll(alice), await postPoll(alice, {}, { visibility: 'private' })]
  assert.equal((await vote(bob, closed, 0)).status, 200)
  assert.equal((await vote(carol, open, 0)).status, 200)
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/unfollow`)
  await carol.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  await endPollsAfter()
  assert.deepEqual([await listPollNotifications(bob), await listPollNotifications(carol)], [[], []])
})

test('local voters in a remote poll are notified five minutes after its end', async () => {
  const [bob, carol] = [await testServer.createUser(), await testServer.createUser()]
  const accountId = await createRemoteAccount(ctx)
  const statusId = await createRemoteStatus(ctx, {
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
  assert.deepEqual(await listScheduledEnds(status.poll.id), [])
  const { body } = await bob.client.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [1] })
  assert.deepEqual(
    [body.options.map((one: { votes_count: number }) => one.votes_count), body.votes_count, body.voters_count],
    [[4, 8], 12, null],
  )
  assert.deepEqual([body.voted, body.own_votes, await listScheduledEnds(status.poll.id)], [true, [1], [15]])
  await endPollsAfter(600 + 300)
  assert.deepEqual(
    [await listPollNotifications(bob), await listPollNotifications(carol)],
    [[`${accountId} ${statusId}`], []],
  )
})

test('more voters than one transaction notifies are notified by jobs that wait for those of others', async () => {
  const alice = await testServer.createUser()
  const { poll } = await postPoll(alice)
  const voters = await createUsers(ctx, { prefix: 'voter', count: 1_001 })
  await sql`insert into poll_votes (poll_id, account_id, choice)
    select ${poll.id}, unnest(${voters}::bigint[]), 0`.execute(ctx.db)
  await testServer.waitForJobs()
  await sql`update polls set ended_at = now() where id = ${poll.id}`.execute(ctx.db)
  const emitted: [name: string, payload: unknown][] = []
  const write: typeof ctx.write = (work) =>
    ctx.write((tx) =>
      work({
        ...tx,
        emit: (name, payload, ...at) => {
          if (name !== 'notification.created') emitted.push([name, payload])
          tx.emit(name, payload, ...at)
        },
      }),
    )
  await notifyPollEnded({ ...ctx, write }, { pollId: poll.id })
  assert.deepEqual(emitted, [['poll.voters_due', { pollId: poll.id, after: voters[999] }]])
  await testServer.waitForJobs()
  const { rows } = await sql`select from notifications
    where type = 'poll' and from_account_id = ${alice.accountId}`.execute(ctx.db)
  assert.equal(rows.length, voters.length + 1)
})
