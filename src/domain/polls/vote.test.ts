import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ask, broken, figuresOf, look, POLL, saysNo, vote } from '../../../test/polls.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld({ env: { DB_POOL: '10' }, effects: false })
after(world.close)
const { ctx } = world
const nobody = { client: world.anonymous }

test('one vote counts at once, for everybody who looks, and is shown only to who gave it', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const status = await ask(alice)
  const answer = await vote(bob, status, 1)
  assert.equal(answer.status, 200)
  assertOnWire('Poll', answer.body)
  assert.deepEqual([figuresOf(answer.body), answer.body.voted, answer.body.own_votes], [[[0, 1, 0], 1, 1], true, [1]])
  assert.deepEqual(await look(bob, status), answer.body)
  for (const [person, voted] of [
    [alice, true],
    [carol, false],
  ] as const) {
    const seen = await look(person, status)
    assert.deepEqual([figuresOf(seen), seen.voted, seen.own_votes], [[[0, 1, 0], 1, 1], voted, []])
  }
  await vote(carol, status, '0')
  assert.deepEqual(figuresOf(await look(nobody, status)), [[1, 1, 0], 2, 2])
})

test('FP4 votes that can’t be are refused whole, each with its reason', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const [single, multiple] = [await ask(alice), await ask(alice, { multiple: true })]
  const [blank, unknown] = [broken("Choices can't be blank"), broken('The chosen vote option does not exist')]
  const again = broken('You have already voted on this poll')
  for (const choices of [[], [null], [[0]], {}, null, undefined]) {
    const answer = await bob.client.post(`/api/v1/polls/${single.poll.id}/votes`, { choices })
    assert.deepEqual(saysNo(answer), blank, JSON.stringify(choices))
  }
  for (const choice of [3, -1, 0.5, '1e0', 'tea', ' 1', '', true, 1e30, '00000', '１']) {
    if (choice !== '') assert.deepEqual(saysNo(await vote(bob, single, choice)), unknown, String(choice))
    assert.deepEqual(saysNo(await vote(bob, multiple, 0, choice)), unknown, String(choice))
  }
  assert.deepEqual(saysNo(await vote(alice, single, 0)), broken('You cannot vote in your own polls'))
  assert.deepEqual(saysNo(await vote(bob, single, 0, 1)), again)
  assert.deepEqual(saysNo(await vote(bob, multiple, 0, 0)), again)
  for (const status of [single, multiple]) assert.deepEqual(figuresOf(await look(nobody, status)), [[0, 0, 0], 0, 0])

  assert.equal((await vote(bob, single, 2)).status, 200)
  for (const choice of [2, 0]) assert.deepEqual(saysNo(await vote(bob, single, choice)), again)
  assert.equal((await vote(bob, multiple, 2, 0)).status, 200)
  assert.deepEqual(saysNo(await vote(bob, multiple, 1, 2)), again)
  const more = await vote(bob, multiple, 1)
  assert.deepEqual(
    [figuresOf(more.body), more.body.own_votes],
    [
      [[1, 1, 1], 3, 1],
      [0, 1, 2],
    ],
  )
})

test('FP4 BI17 of fifty votes at once each counts exactly once', async () => {
  const alice = await world.createPerson()
  const people = await Promise.all(Array.from({ length: 10 }, () => world.createPerson()))
  const [single, multiple] = [await ask(alice), await ask(alice, { multiple: true })]
  const oftenBy = async (person: Person) =>
    Promise.all(Array.from({ length: 50 }, (_none, n) => vote(person, single, n % 3)))
  const statuses = (await oftenBy(people[0]!)).map(({ status }) => status)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array.from({ length: 49 }, () => 422)],
  )
  assert.deepEqual(figuresOf(await look(nobody, single)).slice(1), [1, 1])
  const answers = await Promise.all(
    people.flatMap((person) => [0, 1, 2, 0, 1].map((choice) => vote(person, multiple, choice))),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 30)
  assert.equal(answers.filter(({ status }) => status === 422).length, 20)
  assert.deepEqual(figuresOf(await look(nobody, multiple)), [[10, 10, 10], 30, 10])
  for (const person of people) assert.deepEqual((await look(person, multiple)).own_votes, [0, 1, 2])
})

test('votes and edits at once leave figures that are those of the votes', async () => {
  const alice = await world.createPerson()
  const people = await Promise.all(Array.from({ length: 8 }, () => world.createPerson()))
  const status = await ask(alice, { multiple: true })
  const edit = async (options: string[]) =>
    alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', poll: { ...POLL, options, multiple: true } })
  const answers = await Promise.all([
    ...people.map((person) => vote(person, status, 0, 1)),
    edit(['a', 'b']),
    ...people.map((person) => vote(person, status, 2)),
    edit(['a', 'b', 'c', 'd']),
  ])
  assert.ok(answers.every((one) => one.status === 200 || one.status === 422))
  const { rows } = await sql<{ choice: number; account_id: string }>`
    select choice, account_id from poll_votes where poll_id = ${status.poll.id}`.execute(ctx.db)
  const now = await look(nobody, status)
  assert.deepEqual(figuresOf(now), [
    now.options.map((_option, n) => rows.filter((row) => row.choice === n).length),
    rows.length,
    new Set(rows.map((row) => row.account_id)).size,
  ])
})

test('FP1 nobody votes over a block, whoever set it', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const status = await ask(alice)
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  await carol.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  for (const person of [bob, carol]) assert.deepEqual(saysNo(await vote(person, status, 0)), [404, 'Record not found'])
  assert.deepEqual(figuresOf(await look(nobody, status)), [[0, 0, 0], 0, 0])
})
