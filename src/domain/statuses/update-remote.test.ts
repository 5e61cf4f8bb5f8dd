import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HOST, makeRemote, statusFacts } from '../../../test/remote.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Status, StatusEdit } from '../../entities/status.ts'
import { Forbidden } from '../../lib/errors.ts'
import type { RemoteMediaFacts } from '../media/record-remote.ts'
import { boostStatus } from './boost.ts'
import { recordRemoteStatus } from './record-remote.ts'
import type { RemoteStatusFacts } from './record-remote.ts'
import { updateRemoteStatus } from './update-remote.ts'

const world = await openWorld()
after(world.close)
const { ctx } = world

const MINUTE_MS = 60_000
const START = Date.now() - 60 * MINUTE_MS
const minute = (n: number) => new Date(START + n * MINUTE_MS)

const record = (facts: RemoteStatusFacts) => ctx.write((tx) => recordRemoteStatus(tx, facts))
const update = (facts: RemoteStatusFacts) => ctx.write((tx) => updateRemoteStatus(tx, facts))

async function show(id: string): Promise<Status> {
  return (await world.anonymous.get<Status>(`/api/v1/statuses/${id}`)).body
}

async function history(id: string): Promise<StatusEdit[]> {
  return (await world.anonymous.get<StatusEdit[]>(`/api/v1/statuses/${id}/history`)).body
}

async function kindsOf(person: Person): Promise<string[]> {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications')
  return body.map((one: { type: string; status?: Status }) => `${one.type} ${one.status?.id}`)
}

const picture = (name: string, more: Partial<RemoteMediaFacts> = {}): RemoteMediaFacts => ({
  type: 'image',
  url: `${HOST}/${name}.png`,
  mediaType: 'image/png',
  description: null,
  blurhash: null,
  focus: null,
  width: null,
  height: null,
  previewUrl: null,
  ...more,
})

test('an edit from elsewhere replaces what is said, and keeps what was said', async () => {
  const accountId = await makeRemote(ctx)
  const [bob, carol] = [await world.createPerson(), await world.createPerson()]
  const facts = statusFacts({
    accountId,
    publishedAt: minute(0),
    content: '<p>one</p>',
    mentionedIds: [bob.accountId],
    hashtags: new Map([['a', 'A']]),
    attachments: [picture('x'), picture('y')],
    poll: { options: ['1', '2'], tallies: [1, 0], multiple: false, votersCount: 1, expiresAt: null },
  })
  const { statusId } = await record(facts)
  const before = await show(statusId)
  const answer = await update({
    ...facts,
    updatedAt: minute(1),
    content: '<p>two</p>',
    spoilerText: 'cw',
    sensitive: true,
    language: 'fr',
    visibility: 'direct',
    mentionedIds: [carol.accountId],
    hashtags: new Map([['b', 'B']]),
    attachments: [picture('y', { description: 'why' }), picture('z')],
    poll: { options: ['3'], tallies: [0], multiple: true, votersCount: 0, expiresAt: null },
  })
  assert.deepEqual(answer, { statusId, change: 'edited' })
  const status = await show(statusId)
  assertOnWire('Status', status)
  assert.deepEqual(
    [status.content, status.spoiler_text, status.sensitive, status.language, status.visibility, status.edited_at],
    ['<p>two</p>', 'cw', true, 'fr', 'public', minute(1).toISOString()],
  )
  assert.deepEqual(
    [status.mentions.map(({ id }) => id), status.tags.map(({ name }) => name)],
    [[carol.accountId], ['b']],
  )
  const [, y] = before.media_attachments
  assert.deepEqual(
    status.media_attachments.map(({ id, remote_url: url, description }) => [id === y!.id, url, description]),
    [
      [true, `${HOST}/y.png`, 'why'],
      [false, `${HOST}/z.png`, null],
    ],
  )
  assert.deepEqual([status.poll?.id, status.poll?.multiple], [before.poll!.id, true])
  const versions = await history(statusId)
  for (const version of versions) assertOnWire('StatusEdit', version)
  assert.deepEqual(
    versions.map((one) => [
      one.content,
      one.created_at,
      one.poll,
      one.media_attachments.map((media) => media.remote_url),
    ]),
    [
      [
        '<p>one</p>',
        minute(0).toISOString(),
        { options: [{ title: '1' }, { title: '2' }] },
        [`${HOST}/x.png`, `${HOST}/y.png`],
      ],
      ['<p>two</p>', minute(1).toISOString(), { options: [{ title: '3' }] }, [`${HOST}/y.png`, `${HOST}/z.png`]],
    ],
  )
  assert.deepEqual([await kindsOf(bob), await kindsOf(carol)], [[`mention ${statusId}`], [`mention ${statusId}`]])
})

test('FP6 of edits that come in any order the newest stays, also one that goes back to the first words', async () => {
  const accountId = await makeRemote(ctx)
  const facts = statusFacts({ accountId, publishedAt: minute(0), content: '<p>a</p>' })
  const { statusId } = await record(facts)
  await update({ ...facts, updatedAt: minute(3) })
  await update({ ...facts, updatedAt: minute(2), content: '<p>b</p>' })
  assert.deepEqual([(await show(statusId)).content, (await history(statusId)).length], ['<p>a</p>', 1])
  await update({ ...facts, updatedAt: minute(4), content: '<p>c</p>' })
  await update({ ...facts, updatedAt: minute(4), content: '<p>d</p>' })
  assert.equal((await show(statusId)).content, '<p>c</p>')
  await update({ ...facts, updatedAt: new Date(Date.now() + 48 * 60 * MINUTE_MS), content: '<p>from the future</p>' })
  assert.equal((await show(statusId)).content, '<p>c</p>')
})

test('without a date only votes and counters change, and only of the same options', async () => {
  const accountId = await makeRemote(ctx)
  const poll = { options: ['1', '2'], tallies: [1, 0], multiple: false, votersCount: 1, expiresAt: null }
  const facts = statusFacts({ accountId, publishedAt: minute(0), poll, likesCount: 1, sharesCount: 5 })
  const { statusId } = await record(facts)
  const expiresAt = minute(30)
  const news = { ...poll, tallies: [4, 6], votersCount: 10, expiresAt }
  const answer = await update({ ...facts, content: '<p>no</p>', poll: news, likesCount: 9, sharesCount: null })
  assert.equal(answer?.change, 'counted')
  const status = await show(statusId)
  assert.deepEqual(
    [status.content, status.edited_at, status.favourites_count, status.reblogs_count],
    [facts.content, null, 9, 5],
  )
  assert.deepEqual(
    [status.poll?.votes_count, status.poll?.expired, status.poll?.options[1]],
    [10, true, { title: '2', votes_count: 6 }],
  )
  await update({ ...facts, poll: { ...poll, options: ['other', '2'], tallies: [99, 99] } })
  assert.equal((await show(statusId)).poll?.votes_count, 10)
})

test('IN14 nobody edits what is somebody else’s, and what is not known is told to be so', async () => {
  const [accountId, other] = [await makeRemote(ctx), await makeRemote(ctx)]
  const facts = statusFacts({ accountId, publishedAt: minute(0) })
  assert.equal(await update({ ...facts, updatedAt: minute(1) }), null)
  const { statusId } = await record(facts)
  const forged = { ...facts, accountId: other, updatedAt: minute(1), content: '<p>forged</p>' }
  await assert.rejects(update(forged), Forbidden)
  assert.equal((await show(statusId)).content, facts.content)
  const alice = await world.createPerson()
  const { body } = await alice.client.post<Status>('/api/v1/statuses', { status: 'of here' })
  assert.equal(await update({ ...forged, uri: body.uri }), null)
})

test('people here who boosted a status from elsewhere hear that it says something else', async () => {
  const accountId = await makeRemote(ctx)
  const fan = await world.createPerson()
  const facts = statusFacts({ accountId, publishedAt: minute(0) })
  const { statusId } = await record(facts)
  // Told to nobody: there is no server of that name.
  await ctx.write((tx) => boostStatus({ ...tx, emit: () => {} }, { accountId: fan.accountId, statusId }))
  await update({ ...facts, updatedAt: minute(1), content: '<p>new</p>' })
  assert.deepEqual(await kindsOf(fan), [`update ${statusId}`])
})
