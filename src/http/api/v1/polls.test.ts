import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../test/count-queries.ts'
import { multipart } from '../../../../test/client.ts'
import type { Answer } from '../../../../test/client.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { Poll } from '../../../entities/poll.ts'
import type { Status } from '../../../entities/status.ts'
import { renderStatusForMany } from '../../../render/statuses-for-many.ts'
import { renderStatuses, renderStatusMap } from '../../../render/statuses.ts'

const world = await openWorld()
after(world.close)
const { ctx } = world

const POLL = { options: ['tea', 'coffee', 'water'], expires_in: 300 }

async function ask(person: Person, poll: object = {}, more: object = {}): Promise<Status & { poll: Poll }> {
  const body = { status: 'What shall it be?', poll: { ...POLL, ...poll }, ...more }
  const answer = await person.client.post('/api/v1/statuses', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertOnWire('Status', answer.body)
  return answer.body
}

const vote = async (person: Person, { poll }: { poll: Poll }, ...choices: unknown[]): Promise<Answer> =>
  person.client.post(`/api/v1/polls/${poll.id}/votes`, { choices })

async function look(person: Pick<Person, 'client'> | null, { poll }: { poll: Poll }): Promise<Poll> {
  const { status, body } = await (person?.client ?? world.anonymous).get(`/api/v1/polls/${poll.id}`)
  assert.equal(status, 200)
  assertOnWire('Poll', body)
  return body
}

/** What a poll says in figures: of each option, of all, and of the people. */
const figures = ({ options, votes_count, voters_count }: Poll) => [
  options.map((one) => one.votes_count),
  votes_count,
  voters_count,
]

const saysNo = ({ status, body }: Answer) => [status, body.error]
const no = (text: string) => [422, `Validation failed: ${text}`]

test('a poll is shown with its post, the same in every rendering, and told to be nobody’s to the anonymous', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const before = Date.now()
  const status = await ask(alice, { options: [' tea ', 'cof\n fee', '', 'water'], multiple: true })
  const { poll } = status
  assert.deepEqual(
    poll.options.map(({ title }) => title),
    ['tea', 'cof fee', 'water'],
  )
  const ends = new Date(poll.expires_at!).getTime() - before
  assert.ok(ends >= 300_000 && ends < 330_000)
  assert.deepEqual([poll.multiple, poll.expired, poll.emojis], [true, false, []])
  assert.deepEqual(figures(poll), [[0, 0, 0], 0, 0])
  assert.deepEqual([poll.voted, poll.own_votes], [true, []])
  assert.deepEqual(await look(alice, status), poll)
  const seen = await look(bob, status)
  assert.deepEqual([seen.voted, seen.own_votes], [false, []])
  const { voted: _voted, own_votes: _ownVotes, ...plain } = poll
  assert.deepEqual(await look(null, status), plain)
  assert.deepEqual((await world.anonymous.get(`/api/v1/statuses/${status.id}`)).body.poll, plain)
})

test('a poll goes with pictures, and not without words', async () => {
  const alice = await world.createPerson()
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${alice.accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(
    ctx.db,
  )
  const status = await ask(alice, {}, { media_ids: [rows[0]!.id] })
  assert.deepEqual([status.media_attachments.length, status.poll.options.length], [1, 3])
  const wordless = await alice.client.post('/api/v1/statuses', { status: ' ', poll: POLL })
  assert.deepEqual(saysNo(wordless), no("Text can't be blank"))
  const warned = await alice.client.post('/api/v1/statuses', { spoiler_text: 'drinks', poll: POLL })
  assert.deepEqual([warned.body.content, warned.body.spoiler_text], ['<p>drinks</p>', ''])
})

test('BI9 polls that make no sense are refused, and nothing is posted', async () => {
  const alice = await world.createPerson()
  const long = '👩‍👩‍👧'.repeat(50)
  const [soon, far] = [no('Expires at is too soon'), no('Expires at is too far into the future')]
  const [few, twice] = [no('Options must have more than one item'), no('Options contain duplicate items')]
  const tooLong = no("Options can't be longer than 50 characters each")
  for (const [poll, refusal] of [
    [{ options: ['tea'] }, few],
    [{ options: ['tea', ' '] }, few],
    [{ options: 'tea' }, few],
    [{ options: [] }, few],
    [{ options: null }, few],
    [{ options: ['1', '2', '3', '4', '5'] }, no("Options can't contain more than 4 items")],
    [{ options: ['tea', 'tea '] }, twice],
    [{ options: ['tea', `${long}x`] }, tooLong],
    [{ options: ['tea', 'e\u0301'.repeat(500_000)] }, tooLong],
    ...[299, -1, 0, 'soon', true, '1e9', Number.MIN_SAFE_INTEGER].map((expires_in) => [{ expires_in }, soon]),
    ...[2_629_747, 1e18, '9999999999999999999999'].map((expires_in) => [{ expires_in }, far]),
    ...[null, [300], {}].map((expires_in) => [{ expires_in }, no("Expires at can't be blank")]),
  ] as [object, unknown][]) {
    const answer = await alice.client.post('/api/v1/statuses', { status: 'x', poll: { ...POLL, ...poll } })
    assert.deepEqual(saysNo(answer), refusal, JSON.stringify(poll).slice(0, 100))
  }
  assert.deepEqual((await alice.client.get(`/api/v1/accounts/${alice.accountId}/statuses`)).body, [])
  for (const poll of [null, {}, '', 'poll', []]) {
    const { status, body } = await alice.client.post('/api/v1/statuses', { status: 'x', poll })
    assert.deepEqual([status, body.poll], [200, null])
  }
  await ask(alice, { options: ['tea', long], expires_in: '2629746', multiple: 'false', hide_totals: '0' })
})

test('BI4 a poll is the same by form, multipart and JSON, and so is a vote', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const type = 'application/x-www-form-urlencoded'
  const form = `status=x&poll[options][]=tea&poll[options][]=0&poll[expires_in]=300&poll[multiple]=1&poll[hide_totals]=true`
  const urlencoded = await alice.client.post('/api/v1/statuses', form, { 'content-type': type })
  const parts = new URLSearchParams(form)
  parts.delete('poll[options][]')
  const { payload, headers } = await multipart({
    ...Object.fromEntries(parts),
    'poll[options][0]': 'tea',
    'poll[options][1]': '0',
  })
  const several = await alice.client.post('/api/v1/statuses', payload, headers)
  const json = await ask(alice, { options: ['tea', 0], multiple: true, hide_totals: true }, { status: 'x' })
  const shape = ({ options, multiple }: Poll) => [options, multiple]
  for (const { status, body } of [urlencoded, several]) {
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(shape(body.poll), shape(json.poll))
  }
  const path = `/api/v1/polls/${json.poll.id}/votes`
  const first = await bob.client.post(path, 'choices[]=1', { 'content-type': type })
  const second = await bob.client.post(path, { choices: 0 })
  assert.deepEqual([first.body.own_votes, second.body.own_votes], [[1], [0, 1]])
})

test('one vote counts at once, for everybody who looks, and is shown only to who gave it', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const status = await ask(alice)
  const answer = await vote(bob, status, 1)
  assert.equal(answer.status, 200)
  assertOnWire('Poll', answer.body)
  assert.deepEqual([figures(answer.body), answer.body.voted, answer.body.own_votes], [[[0, 1, 0], 1, 1], true, [1]])
  assert.deepEqual(await look(bob, status), answer.body)
  for (const [person, voted] of [
    [alice, true],
    [carol, false],
  ] as const) {
    const seen = await look(person, status)
    assert.deepEqual([figures(seen), seen.voted, seen.own_votes], [[[0, 1, 0], 1, 1], voted, []])
  }
  await vote(carol, status, '0')
  assert.deepEqual(figures(await look(null, status)), [[1, 1, 0], 2, 2])
})

test('FP4 votes that can’t be are refused whole, each with its reason', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const [single, multiple] = [await ask(alice), await ask(alice, { multiple: true })]
  const [blank, unknown] = [no("Choices can't be blank"), no('The chosen vote option does not exist')]
  const again = no('You have already voted on this poll')
  for (const choices of [[], [null], [[0]], {}, null, undefined]) {
    const answer = await bob.client.post(`/api/v1/polls/${single.poll.id}/votes`, { choices })
    assert.deepEqual(saysNo(answer), blank, JSON.stringify(choices))
  }
  for (const choice of [3, -1, 0.5, '1e0', 'tea', ' 1', '', true, 1e30, '00000', '１']) {
    if (choice !== '') assert.deepEqual(saysNo(await vote(bob, single, choice)), unknown, String(choice))
    assert.deepEqual(saysNo(await vote(bob, multiple, 0, choice)), unknown, String(choice))
  }
  assert.deepEqual(saysNo(await vote(alice, single, 0)), no('You cannot vote in your own polls'))
  assert.deepEqual(saysNo(await vote(bob, single, 0, 1)), again)
  assert.deepEqual(saysNo(await vote(bob, multiple, 0, 0)), again)
  for (const status of [single, multiple]) assert.deepEqual(figures(await look(null, status)), [[0, 0, 0], 0, 0])

  assert.equal((await vote(bob, single, 2)).status, 200)
  for (const choice of [2, 0]) assert.deepEqual(saysNo(await vote(bob, single, choice)), again)
  assert.equal((await vote(bob, multiple, 2, 0)).status, 200)
  assert.deepEqual(saysNo(await vote(bob, multiple, 1, 2)), again)
  const more = await vote(bob, multiple, 1)
  assert.deepEqual(
    [figures(more.body), more.body.own_votes],
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
  assert.deepEqual(figures(await look(null, single)).slice(1), [1, 1])
  const answers = await Promise.all(
    people.flatMap((person) => [0, 1, 2, 0, 1].map((choice) => vote(person, multiple, choice))),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 30)
  assert.equal(answers.filter(({ status }) => status === 422).length, 20)
  assert.deepEqual(figures(await look(null, multiple)), [[10, 10, 10], 30, 10])
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
  const now = await look(null, status)
  assert.deepEqual(figures(now), [
    now.options.map((_option, n) => rows.filter((row) => row.choice === n).length),
    rows.length,
    new Set(rows.map((row) => row.account_id)).size,
  ])
})

test('VI1 the poll of a hidden post, and votes in it, are as absent as none', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const absent = await bob.client.get('/api/v1/polls/40404')
  assert.deepEqual(saysNo(absent), [404, 'Record not found'])
  const hidden = [
    await ask(alice, {}, { visibility: 'private' }),
    await ask(alice, {}, { visibility: 'direct', status: `Tea, @${carol.username}?` }),
  ]
  for (const status of hidden) {
    for (const answer of [
      await bob.client.get(`/api/v1/polls/${status.poll.id}`),
      await world.anonymous.get(`/api/v1/polls/${status.poll.id}`),
      await vote(bob, status, 0),
    ]) {
      assert.deepEqual([answer.status, answer.body], [404, absent.body])
    }
  }
  assert.equal((await vote(carol, hidden[1]!, 0)).status, 200)
  for (const id of ['0', '-1', '9'.repeat(30), 'x', '%00']) {
    assert.equal((await bob.client.get(`/api/v1/polls/${id}`)).status, 404)
    assert.equal((await bob.client.post(`/api/v1/polls/${id}/votes`, { choices: [0] })).status, 404)
  }
  await alice.client.delete(`/api/v1/statuses/${hidden[1]!.id}`)
  assert.equal((await vote(carol, hidden[1]!, 1)).status, 404)
})

test('FP1 nobody votes over a block, whoever set it', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const status = await ask(alice)
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/block`)
  await carol.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  for (const person of [bob, carol]) assert.deepEqual(saysNo(await vote(person, status, 0)), [404, 'Record not found'])
  assert.deepEqual(figures(await look(null, status)), [[0, 0, 0], 0, 0])
})

test('VI18 other options, or several choices instead of one, take all votes away; a new end or hidden figures do not', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const status = await ask(alice)
  const put = async (poll: object | null) =>
    (await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', ...(poll && { poll }) })).body.poll as Poll
  const seen = async () => {
    const poll = await look(bob, status)
    return [figures(poll), poll.own_votes]
  }
  await vote(bob, status, 1)
  const prolonged = await put({ ...POLL, expires_in: 3_000, hide_totals: true })
  assert.deepEqual([prolonged.id, figures(prolonged)], [status.poll.id, [[null, null, null], 1, 1]])
  assert.ok(prolonged.expires_at! > status.poll.expires_at!)
  await put(POLL)
  assert.deepEqual(await seen(), [[[0, 1, 0], 1, 1], [1]])
  assert.equal((await put({ ...POLL, multiple: true })).multiple, true)
  assert.deepEqual(await seen(), [[[0, 0, 0], 0, 0], []])
  await vote(bob, status, 0, 2)
  await put({ ...POLL, multiple: true, options: ['coffee', 'tea', 'water', 'milk'] })
  assert.deepEqual(await seen(), [[[0, 0, 0, 0], 0, 0], []])
  assert.equal((await vote(bob, status, 3)).status, 200)
  assert.equal(await put(null), null)
  assert.equal((await bob.client.get(`/api/v1/polls/${status.poll.id}`)).status, 404)
  assert.deepEqual(figures(await put(POLL)), [[0, 0, 0], 0, 0])
  const refused = await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', poll: { options: ['one'] } })
  assert.deepEqual(saysNo(refused), no('Options must have more than one item'))
  const { body: versions } = await world.anonymous.get(`/api/v1/statuses/${status.id}/history`)
  const titles = versions.map((one: any) => one.poll?.options.map(({ title }: { title: string }) => title).join())
  const same = 'tea,coffee,water'
  assert.deepEqual(titles, [same, same, same, same, 'coffee,tea,water,milk', undefined, same])
})

test('figures stay hidden until the end where the author wants it', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const status = await ask(alice, { hide_totals: true })
  const { body } = await vote(bob, status, 1)
  assert.deepEqual(figures(body), [[null, null, null], 1, 1])
  for (const person of [alice, null]) assert.deepEqual(figures(await look(person, status)), [[null, null, null], 1, 1])
  await sql`update polls set expires_at = now() - interval '1 second' where id = ${status.poll.id}`.execute(ctx.db)
  const over = await look(null, status)
  assert.deepEqual([over.expired, figures(over)], [true, [[0, 1, 0], 1, 1]])
})

test('what each chose is in the statement of the page, for one viewer and for many', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => world.createPerson()))
  const [alice, bob, carol] = people as [Person, Person, Person]
  const statuses = [await ask(alice, { multiple: true }), await ask(alice), await ask(bob)]
  for (const status of statuses.slice(0, 2)) await vote(bob, status, 1)
  await vote(bob, statuses[0]!, 0)
  await vote(carol, statuses[1]!, 2)
  const ids = statuses.map(({ id }) => id)
  const count = async (some: string[]) =>
    countQueries(async () => renderStatuses(ctx, { ids: some, viewerId: bob.accountId }))
  await count(ids)
  assert.equal(await count(ids), await count(ids.slice(0, 1)))
  const shown = await renderStatuses(ctx, { ids, viewerId: bob.accountId })
  assert.deepEqual(
    shown.map((one) => (JSON.parse(one) as Status).poll).map((poll) => [poll?.voted, poll?.own_votes]),
    [
      [true, [0, 1]],
      [true, [1]],
      [true, []],
    ],
  )
  const viewerIds = people.map(({ accountId }) => accountId)
  for (const id of ids) {
    for (const { status, viewerIds: likewise } of await renderStatusForMany(ctx, { id, viewerIds })) {
      for (const viewerId of likewise) {
        assert.equal(status, (await renderStatusMap(ctx, { ids: [id], viewerId })).get(id))
      }
    }
  }
})

test('a deleted post comes back with its poll, and the same key posts one poll', async () => {
  const alice = await world.createPerson()
  const status = await ask(alice)
  const { body } = await alice.client.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(body.poll, status.poll)
  const post = async () =>
    alice.client.post('/api/v1/statuses', { status: 'once', poll: POLL }, { 'idempotency-key': 'poll' })
  const answers = await Promise.all(Array.from({ length: 5 }, post))
  assert.equal(new Set(answers.map((one) => one.body.poll.id)).size, 1)
})

test('masto.js posts a poll, votes in it and reads it', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const url = await world.listen()
  const restOf = ({ token }: Person) => createRestAPIClient({ url, accessToken: token })
  const { poll } = await restOf(alice).v1.statuses.create({
    status: 'Drinks?',
    poll: { options: ['tea', 'coffee'], expiresIn: 600, multiple: true, hideTotals: false },
  })
  assert.ok(poll)
  const own = restOf(bob).v1.polls.$select(poll.id)
  const voted = await own.votes.create({ choices: [1] })
  assert.deepEqual([voted.votesCount, voted.votersCount, voted.voted, voted.ownVotes], [1, 1, true, [1]])
  assert.deepEqual((await own.fetch()).options, [
    { title: 'tea', votesCount: 0 },
    { title: 'coffee', votesCount: 1 },
  ])
  await assert.rejects(own.votes.create({ choices: [1] }), { statusCode: 422 })
})
