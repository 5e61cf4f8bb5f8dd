import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { multipart } from '../../../../../test/http/client.ts'
import {
  postPoll,
  validationError,
  countsOf,
  readPoll,
  POLL,
  errorOf,
  vote,
} from '../../../../../test/features/polls.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Poll } from '../../../../entities/statuses/poll.ts'
import type { StatusEdit } from '../../../../entities/statuses/status.ts'
import { renderStatusForMany } from '../../../../render/statuses/render-status-for-many.ts'
import { renderStatuses, renderStatusMap } from '../../../../render/statuses/render-statuses.ts'
import { jsonText, parseEntity } from '../../../../lib/json/json-content.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const anonymousUser = { client: testServer.anonymous }

test('a poll is the same entity everywhere; anonymous requests see no votes of their own', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const before = Date.now()
  const status = await postPoll(alice, { options: [' tea ', 'cof\n fee', '', 'water'], multiple: true })
  const { poll } = status
  assert.deepEqual(
    poll.options.map(({ title }) => title),
    ['tea', 'cof fee', 'water'],
  )
  const ends = new Date(poll.expires_at!).getTime() - before
  assert.ok(ends >= POLL.expires_in * 1_000 && ends < POLL.expires_in * 1_000 + 30_000)
  assert.deepEqual([poll.multiple, poll.expired, poll.emojis], [true, false, []])
  assert.deepEqual(countsOf(poll), [[0, 0, 0], 0, 0])
  assert.deepEqual([poll.voted, poll.own_votes], [true, []])
  assert.deepEqual(await readPoll(alice, status), poll)
  const bobsPoll = await readPoll(bob, status)
  assert.deepEqual([bobsPoll.voted, bobsPoll.own_votes], [false, []])
  const { voted: _voted, own_votes: _ownVotes, ...plain } = poll
  assert.deepEqual(await readPoll(anonymousUser, status), plain)
  assert.deepEqual((await testServer.anonymous.get(`/api/v1/statuses/${status.id}`)).body.poll, plain)
})

test('a poll can be posted with media, but not without text', async () => {
  const alice = await testServer.createUser()
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${alice.accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(
    ctx.db,
  )
  const status = await postPoll(alice, {}, { media_ids: [rows[0]!.id] })
  assert.deepEqual([status.media_attachments.length, status.poll.options.length], [1, 3])
  const withoutText = await alice.client.post('/api/v1/statuses', { status: ' ', poll: POLL })
  assert.deepEqual(errorOf(withoutText), validationError("Text can't be blank"))
  const warned = await alice.client.post('/api/v1/statuses', { spoiler_text: 'drinks', poll: POLL })
  assert.deepEqual([warned.body.content, warned.body.spoiler_text], ['<p>drinks</p>', ''])
})

test('BI9 invalid polls are rejected, and nothing is posted', async () => {
  const alice = await testServer.createUser()
  const long = '👩‍👩‍👧'.repeat(50)
  const [tooSoon, tooFar] = [
    validationError('Expires at is too soon'),
    validationError('Expires at is too far into the future'),
  ]
  const [tooFew, duplicate] = [
    validationError('Options must have more than one item'),
    validationError('Options contain duplicate items'),
  ]
  const tooLong = validationError("Options can't be longer than 50 characters each")
  for (const [poll, error] of [
    [{ options: ['tea'] }, tooFew],
    [{ options: ['tea', ' '] }, tooFew],
    [{ options: 'tea' }, tooFew],
    [{ options: [] }, tooFew],
    [{ options: null }, tooFew],
    [{ options: ['1', '2', '3', '4', '5'] }, validationError("Options can't contain more than 4 items")],
    [{ options: ['tea', 'tea '] }, duplicate],
    [{ options: ['tea', `${long}x`] }, tooLong],
    [{ options: ['tea', 'e\u0301'.repeat(500_000)] }, tooLong],
    ...[299, -1, 0, 'soon', true, '1e9', Number.MIN_SAFE_INTEGER].map((expires_in) => [{ expires_in }, tooSoon]),
    ...[2_629_747, 1e18, '9999999999999999999999'].map((expires_in) => [{ expires_in }, tooFar]),
    ...[null, [300], {}].map((expires_in) => [{ expires_in }, validationError("Expires at can't be blank")]),
  ] as [object, unknown][]) {
    const response = await alice.client.post('/api/v1/statuses', { status: 'x', poll: { ...POLL, ...poll } })
    assert.deepEqual(errorOf(response), error, JSON.stringify(poll).slice(0, 100))
  }
  assert.deepEqual((await alice.client.get(`/api/v1/accounts/${alice.accountId}/statuses`)).body, [])
  for (const poll of [null, {}, '', 'poll', []]) {
    const { status, body } = await alice.client.post('/api/v1/statuses', { status: 'x', poll })
    assert.deepEqual([status, body.poll], [200, null])
  }
  await postPoll(alice, { options: ['tea', long], expires_in: '2629746', multiple: 'false', hide_totals: '0' })
})

test('BI4 polls and votes can be sent as form, multipart and JSON', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
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
  const multipartResponse = await alice.client.post('/api/v1/statuses', payload, headers)
  const json = await postPoll(alice, { options: ['tea', 0], multiple: true, hide_totals: true }, { status: 'x' })
  const contentOf = ({ options, multiple }: Poll) => [options, multiple]
  for (const { status, body } of [urlencoded, multipartResponse]) {
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(contentOf(body.poll), contentOf(json.poll))
  }
  const path = `/api/v1/polls/${json.poll.id}/votes`
  const first = await bob.client.post(path, 'choices[]=1', { 'content-type': type })
  const second = await bob.client.post(path, { choices: 0 })
  assert.deepEqual([first.body.own_votes, second.body.own_votes], [[1], [0, 1]])
})

test('VI1 the poll of a hidden post gets the response of an unknown poll', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const unknown = await bob.client.get('/api/v1/polls/40404')
  assert.deepEqual(errorOf(unknown), [404, 'Record not found'])
  const hidden = [
    await postPoll(alice, {}, { visibility: 'private' }),
    await postPoll(alice, {}, { visibility: 'direct', status: `Tea, @${carol.username}?` }),
  ]
  for (const status of hidden) {
    for (const response of [
      await bob.client.get(`/api/v1/polls/${status.poll.id}`),
      await testServer.anonymous.get(`/api/v1/polls/${status.poll.id}`),
      await vote(bob, status, 0),
    ]) {
      assert.deepEqual([response.status, response.body], [404, unknown.body])
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

test('VI18 changing options or multiple resets the votes; changing the end or hide_totals does not', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const status = await postPoll(alice)
  const put = async (poll: object | null) =>
    (await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', ...(poll && { poll }) })).body.poll as Poll
  const readVotes = async () => {
    const poll = await readPoll(bob, status)
    return [countsOf(poll), poll.own_votes]
  }
  await vote(bob, status, 1)
  const extended = await put({ ...POLL, expires_in: 3_000, hide_totals: true })
  assert.deepEqual([extended.id, countsOf(extended)], [status.poll.id, [[null, null, null], 1, 1]])
  assert.ok(extended.expires_at! > status.poll.expires_at!)
  await put(POLL)
  assert.deepEqual(await readVotes(), [[[0, 1, 0], 1, 1], [1]])
  assert.equal((await put({ ...POLL, multiple: true })).multiple, true)
  assert.deepEqual(await readVotes(), [[[0, 0, 0], 0, 0], []])
  await vote(bob, status, 0, 2)
  await put({ ...POLL, multiple: true, options: ['coffee', 'tea', 'water', 'milk'] })
  assert.deepEqual(await readVotes(), [[[0, 0, 0, 0], 0, 0], []])
  assert.equal((await vote(bob, status, 3)).status, 200)
  assert.equal(await put(null), null)
  assert.equal((await bob.client.get(`/api/v1/polls/${status.poll.id}`)).status, 404)
  assert.deepEqual(countsOf(await put(POLL)), [[0, 0, 0], 0, 0])
  const rejected = await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'x', poll: { options: ['one'] } })
  assert.deepEqual(errorOf(rejected), validationError('Options must have more than one item'))
  const { body: versions } = await testServer.anonymous.get(`/api/v1/statuses/${status.id}/history`)
  const titles = (versions as StatusEdit[]).map((version) => version.poll?.options.map(({ title }) => title).join())
  const unchanged = 'tea,coffee,water'
  assert.deepEqual(titles, [unchanged, unchanged, unchanged, unchanged, 'coffee,tea,water,milk', undefined, unchanged])
})

test('hide_totals hides the counts until the poll ends', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const status = await postPoll(alice, { hide_totals: true })
  const { body } = await vote(bob, status, 1)
  assert.deepEqual(countsOf(body), [[null, null, null], 1, 1])
  for (const user of [alice, anonymousUser])
    assert.deepEqual(countsOf(await readPoll(user, status)), [[null, null, null], 1, 1])
  await sql`update polls set expires_at = now() - interval '1 second' where id = ${status.poll.id}`.execute(ctx.db)
  const ended = await readPoll(anonymousUser, status)
  assert.deepEqual([ended.expired, countsOf(ended)], [true, [[0, 1, 0], 1, 1]])
})

test('rendering own votes needs no further SQL statement, for one viewer or many', async () => {
  const users = await Promise.all(Array.from({ length: 5 }, () => testServer.createUser()))
  const [alice, bob, carol] = users as [TestUser, TestUser, TestUser]
  const statuses = [await postPoll(alice, { multiple: true }), await postPoll(alice), await postPoll(bob)]
  for (const status of statuses.slice(0, 2)) await vote(bob, status, 1)
  await vote(bob, statuses[0]!, 0)
  await vote(carol, statuses[1]!, 2)
  const ids = statuses.map(({ id }) => id)
  const count = async (statusIds: string[]) =>
    countQueries(async () => ctx.read(renderStatuses, { ids: statusIds, viewerId: bob.accountId }))
  await count(ids)
  assert.equal(await count(ids), await count(ids.slice(0, 1)))
  const rendered = await ctx.read(renderStatuses, { ids, viewerId: bob.accountId })
  assert.deepEqual(
    rendered.map((status) => parseEntity(status).poll).map((poll) => [poll?.voted, poll?.own_votes]),
    [
      [true, [0, 1]],
      [true, [1]],
      [true, []],
    ],
  )
  const viewerIds = users.map(({ accountId }) => accountId)
  for (const id of ids) {
    for (const { status, viewerIds: sameViewers } of await ctx.read(renderStatusForMany, { id, viewerIds })) {
      for (const viewerId of sameViewers) {
        const single = (await ctx.read(renderStatusMap, { ids: [id], viewerId })).get(id)
        assert.equal(jsonText(status), jsonText(single!))
      }
    }
  }
})

test('deleting a post returns its poll, and an idempotency key creates one poll', async () => {
  const alice = await testServer.createUser()
  const status = await postPoll(alice)
  const { body } = await alice.client.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(body.poll, status.poll)
  const post = async () =>
    alice.client.post('/api/v1/statuses', { status: 'once', poll: POLL }, { 'idempotency-key': 'poll' })
  const responses = await Promise.all(Array.from({ length: 5 }, post))
  assert.equal(new Set(responses.map((response) => response.body.poll.id)).size, 1)
})

test('masto.js posts, votes in and reads a poll', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const url = await testServer.listen()
  const restOf = ({ token }: TestUser) => createRestAPIClient({ url, accessToken: token })
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
