import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../test/count-queries.ts'
import { multipart } from '../../../../test/client.ts'
import { ask, broken, figuresOf, look, POLL, saysNo, vote } from '../../../../test/polls.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { Poll } from '../../../entities/poll.ts'
import type { StatusEdit } from '../../../entities/status.ts'
import { renderStatusForMany } from '../../../render/statuses/render-status-for-many.ts'
import { renderStatuses, renderStatusMap } from '../../../render/statuses/render-statuses.ts'
import { jsonText, parseEntity } from '../../../lib/entity-json.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world
const nobody = { client: world.anonymous }

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
  assert.ok(ends >= POLL.expires_in * 1_000 && ends < POLL.expires_in * 1_000 + 30_000)
  assert.deepEqual([poll.multiple, poll.expired, poll.emojis], [true, false, []])
  assert.deepEqual(figuresOf(poll), [[0, 0, 0], 0, 0])
  assert.deepEqual([poll.voted, poll.own_votes], [true, []])
  assert.deepEqual(await look(alice, status), poll)
  const seen = await look(bob, status)
  assert.deepEqual([seen.voted, seen.own_votes], [false, []])
  const { voted: _voted, own_votes: _ownVotes, ...plain } = poll
  assert.deepEqual(await look(nobody, status), plain)
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
  assert.deepEqual(saysNo(wordless), broken("Text can't be blank"))
  const warned = await alice.client.post('/api/v1/statuses', { spoiler_text: 'drinks', poll: POLL })
  assert.deepEqual([warned.body.content, warned.body.spoiler_text], ['<p>drinks</p>', ''])
})

test('BI9 polls that make no sense are refused, and nothing is posted', async () => {
  const alice = await world.createPerson()
  const long = '👩‍👩‍👧'.repeat(50)
  const [soon, far] = [broken('Expires at is too soon'), broken('Expires at is too far into the future')]
  const [few, twice] = [broken('Options must have more than one item'), broken('Options contain duplicate items')]
  const tooLong = broken("Options can't be longer than 50 characters each")
  for (const [poll, refusal] of [
    [{ options: ['tea'] }, few],
    [{ options: ['tea', ' '] }, few],
    [{ options: 'tea' }, few],
    [{ options: [] }, few],
    [{ options: null }, few],
    [{ options: ['1', '2', '3', '4', '5'] }, broken("Options can't contain more than 4 items")],
    [{ options: ['tea', 'tea '] }, twice],
    [{ options: ['tea', `${long}x`] }, tooLong],
    [{ options: ['tea', 'e\u0301'.repeat(500_000)] }, tooLong],
    ...[299, -1, 0, 'soon', true, '1e9', Number.MIN_SAFE_INTEGER].map((expires_in) => [{ expires_in }, soon]),
    ...[2_629_747, 1e18, '9999999999999999999999'].map((expires_in) => [{ expires_in }, far]),
    ...[null, [300], {}].map((expires_in) => [{ expires_in }, broken("Expires at can't be blank")]),
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

test('VI18 other options, or several choices instead of one, take all votes away; a new end or hidden figures do not', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const status = await ask(alice)
  const put = async (poll: object | null) =>
    (await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', ...(poll && { poll }) })).body.poll as Poll
  const seen = async () => {
    const poll = await look(bob, status)
    return [figuresOf(poll), poll.own_votes]
  }
  await vote(bob, status, 1)
  const prolonged = await put({ ...POLL, expires_in: 3_000, hide_totals: true })
  assert.deepEqual([prolonged.id, figuresOf(prolonged)], [status.poll.id, [[null, null, null], 1, 1]])
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
  assert.deepEqual(figuresOf(await put(POLL)), [[0, 0, 0], 0, 0])
  const refused = await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', poll: { options: ['one'] } })
  assert.deepEqual(saysNo(refused), broken('Options must have more than one item'))
  const { body: versions } = await world.anonymous.get(`/api/v1/statuses/${status.id}/history`)
  const titles = (versions as StatusEdit[]).map((one) => one.poll?.options.map(({ title }) => title).join())
  const same = 'tea,coffee,water'
  assert.deepEqual(titles, [same, same, same, same, 'coffee,tea,water,milk', undefined, same])
})

test('figures stay hidden until the end where the author wants it', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const status = await ask(alice, { hide_totals: true })
  const { body } = await vote(bob, status, 1)
  assert.deepEqual(figuresOf(body), [[null, null, null], 1, 1])
  for (const person of [alice, nobody])
    assert.deepEqual(figuresOf(await look(person, status)), [[null, null, null], 1, 1])
  await sql`update polls set expires_at = now() - interval '1 second' where id = ${status.poll.id}`.execute(ctx.db)
  const over = await look(nobody, status)
  assert.deepEqual([over.expired, figuresOf(over)], [true, [[0, 1, 0], 1, 1]])
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
    countQueries(async () => ctx.read(renderStatuses, { ids: some, viewerId: bob.accountId }))
  await count(ids)
  assert.equal(await count(ids), await count(ids.slice(0, 1)))
  const shown = await ctx.read(renderStatuses, { ids, viewerId: bob.accountId })
  assert.deepEqual(
    shown.map((one) => parseEntity(one).poll).map((poll) => [poll?.voted, poll?.own_votes]),
    [
      [true, [0, 1]],
      [true, [1]],
      [true, []],
    ],
  )
  const viewerIds = people.map(({ accountId }) => accountId)
  for (const id of ids) {
    for (const { status, viewerIds: likewise } of await ctx.read(renderStatusForMany, { id, viewerIds })) {
      for (const viewerId of likewise) {
        const alone = (await ctx.read(renderStatusMap, { ids: [id], viewerId })).get(id)
        assert.equal(jsonText(status), jsonText(alone!))
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
