import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { postPoll, validationError, countsOf, readPoll, POLL, errorOf, vote } from '../../../test/features/polls.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false })
after(testServer.close)
const { ctx } = testServer
const anonymous = { client: testServer.anonymous }

test('a vote counts immediately for all viewers, and only the voter sees the own choice', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const status = await postPoll(alice)
  const response = await vote(bob, status, 1)
  assert.equal(response.status, 200)
  assertEntity('Poll', response.body)
  assert.deepEqual(
    [countsOf(response.body), response.body.voted, response.body.own_votes],
    [[[0, 1, 0], 1, 1], true, [1]],
  )
  assert.deepEqual(await readPoll(bob, status), response.body)
  for (const [user, voted] of [
    [alice, true],
    [carol, false],
  ] as const) {
    const poll = await readPoll(user, status)
    assert.deepEqual([countsOf(poll), poll.voted, poll.own_votes], [[[0, 1, 0], 1, 1], voted, []])
  }
  await vote(carol, status, '0')
  assert.deepEqual(countsOf(await readPoll(anonymous, status)), [[1, 1, 0], 2, 2])
})

test('FP4 invalid votes are refused completely, each with its own error', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const [single, multiple] = [await postPoll(alice), await postPoll(alice, { multiple: true })]
  const [blank, unknown] = [
    validationError("Choices can't be blank"),
    validationError('The chosen vote option does not exist'),
  ]
  const alreadyVoted = validationError('You have already voted on this poll')
  for (const choices of [[], [null], [[0]], {}, null, undefined]) {
    const response = await bob.client.post(`/api/v1/polls/${single.poll.id}/votes`, { choices })
    assert.deepEqual(errorOf(response), blank, JSON.stringify(choices))
  }
  for (const choice of [3, -1, 0.5, '1e0', 'tea', ' 1', '', true, 1e30, '00000', '１']) {
    if (choice !== '') assert.deepEqual(errorOf(await vote(bob, single, choice)), unknown, String(choice))
    assert.deepEqual(errorOf(await vote(bob, multiple, 0, choice)), unknown, String(choice))
  }
  assert.deepEqual(errorOf(await vote(alice, single, 0)), validationError('You cannot vote in your own polls'))
  assert.deepEqual(errorOf(await vote(bob, single, 0, 1)), alreadyVoted)
  assert.deepEqual(errorOf(await vote(bob, multiple, 0, 0)), alreadyVoted)
  for (const status of [single, multiple])
    assert.deepEqual(countsOf(await readPoll(anonymous, status)), [[0, 0, 0], 0, 0])

  assert.equal((await vote(bob, single, 2)).status, 200)
  for (const choice of [2, 0]) assert.deepEqual(errorOf(await vote(bob, single, choice)), alreadyVoted)
  assert.equal((await vote(bob, multiple, 2, 0)).status, 200)
  assert.deepEqual(errorOf(await vote(bob, multiple, 1, 2)), alreadyVoted)
  const additional = await vote(bob, multiple, 1)
  assert.deepEqual(
    [countsOf(additional.body), additional.body.own_votes],
    [
      [[1, 1, 1], 3, 1],
      [0, 1, 2],
    ],
  )
})

test('FP4 BI17 of 50 parallel votes, each valid one counts exactly once', async () => {
  const alice = await testServer.createUser()
  const users = await Promise.all(Array.from({ length: 10 }, () => testServer.createUser()))
  const [single, multiple] = [await postPoll(alice), await postPoll(alice, { multiple: true })]
  const voteRepeatedly = async (user: TestUser) =>
    Promise.all(Array.from({ length: 50 }, (_none, n) => vote(user, single, n % 3)))
  const statuses = (await voteRepeatedly(users[0]!)).map(({ status }) => status)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array.from({ length: 49 }, () => 422)],
  )
  assert.deepEqual(countsOf(await readPoll(anonymous, single)).slice(1), [1, 1])
  const responses = await Promise.all(
    users.flatMap((user) => [0, 1, 2, 0, 1].map((choice) => vote(user, multiple, choice))),
  )
  assert.equal(responses.filter(({ status }) => status === 200).length, 30)
  assert.equal(responses.filter(({ status }) => status === 422).length, 20)
  assert.deepEqual(countsOf(await readPoll(anonymous, multiple)), [[10, 10, 10], 30, 10])
  for (const user of users) assert.deepEqual((await readPoll(user, multiple)).own_votes, [0, 1, 2])
})

test('after parallel votes and edits, the tallies are equal to the stored votes', async () => {
  const alice = await testServer.createUser()
  const users = await Promise.all(Array.from({ length: 8 }, () => testServer.createUser()))
  const status = await postPoll(alice, { multiple: true })
  const edit = async (options: string[]) =>
    alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', poll: { ...POLL, options, multiple: true } })
  const responses = await Promise.all([
    ...users.map((user) => vote(user, status, 0, 1)),
    edit(['a', 'b']),
    ...users.map((user) => vote(user, status, 2)),
    edit(['a', 'b', 'c', 'd']),
  ])
  assert.ok(responses.every((one) => one.status === 200 || one.status === 422))
  const { rows } = await sql<{ choice: number; account_id: string }>`
    select choice, account_id from poll_votes where poll_id = ${status.poll.id}`.execute(ctx.db)
  const now = await readPoll(anonymous, status)
  assert.deepEqual(countsOf(now), [
    now.options.map((_option, n) => rows.filter((row) => row.choice === n).length),
    rows.length,
    new Set(rows.map((row) => row.account_id)).size,
  ])
})

test('FP1 an account cannot vote if it blocks the author or is blocked by the author', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const status = await postPoll(alice)
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  await carol.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  for (const user of [bob, carol]) assert.deepEqual(errorOf(await vote(user, status, 0)), [404, 'Record not found'])
  assert.deepEqual(countsOf(await readPoll(anonymous, status)), [[0, 0, 0], 0, 0])
})
