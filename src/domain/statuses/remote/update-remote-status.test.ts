import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HOST, createRemoteAccount, remoteStatusRecord } from '../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Status, StatusEdit } from '../../../entities/statuses/status.ts'
import { ForbiddenError } from '../../../lib/errors.ts'
import type { RemoteMediaFacts } from '../../media/record-remote-media.ts'
import { reblogStatus } from '../interactions/reblog-status.ts'
import { recordRemoteStatus } from './record-remote-status.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'
import { updateRemoteStatus } from './update-remote-status.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

const MINUTE_MS = 60_000
const START = Date.now() - 60 * MINUTE_MS
const minute = (n: number) => new Date(START + n * MINUTE_MS)

const record = (facts: RemoteStatusFacts) => ctx.write((tx) => recordRemoteStatus(tx, facts))
const update = (facts: RemoteStatusFacts) => ctx.write((tx) => updateRemoteStatus(tx, facts))

async function getStatus(id: string): Promise<Status> {
  return (await testServer.anonymous.get<Status>(`/api/v1/statuses/${id}`)).body
}

async function getHistory(id: string): Promise<StatusEdit[]> {
  return (await testServer.anonymous.get<StatusEdit[]>(`/api/v1/statuses/${id}/history`)).body
}

async function listNotifications(user: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get('/api/v1/notifications')
  return body.map((one: { type: string; status?: Status }) => `${one.type} ${one.status?.id}`)
}

const imageFacts = (name: string, more: Partial<RemoteMediaFacts> = {}): RemoteMediaFacts => ({
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

test('a remote edit replaces the content and saves the former version in the history', async () => {
  const accountId = await createRemoteAccount(ctx)
  const [bob, carol] = [await testServer.createUser(), await testServer.createUser()]
  const facts = remoteStatusRecord({
    accountId,
    publishedAt: minute(0),
    content: '<p>one</p>',
    mentionedIds: [bob.accountId],
    hashtags: new Map([['a', 'A']]),
    attachments: [imageFacts('x'), imageFacts('y')],
    poll: { options: ['1', '2'], tallies: [1, 0], multiple: false, votersCount: 1, expiresAt: null },
  })
  const { statusId } = await record(facts)
  await testServer.waitForJobs()
  const before = await getStatus(statusId)
  const result = await update({
    ...facts,
    updatedAt: minute(1),
    content: '<p>two</p>',
    spoilerText: 'cw',
    sensitive: true,
    language: 'fr',
    visibility: 'direct',
    mentionedIds: [carol.accountId],
    hashtags: new Map([['b', 'B']]),
    attachments: [imageFacts('y', { description: 'why' }), imageFacts('z')],
    poll: { options: ['3'], tallies: [0], multiple: true, votersCount: 0, expiresAt: null },
  })
  assert.deepEqual(result, { statusId, change: 'edited' })
  const status = await getStatus(statusId)
  assertEntity('Status', status)
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
  const versions = await getHistory(statusId)
  for (const version of versions) assertEntity('StatusEdit', version)
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
  assert.deepEqual(
    [await listNotifications(bob), await listNotifications(carol)],
    [[`mention ${statusId}`], [`mention ${statusId}`]],
  )
})

test('FP6 the newest of remote edits in any order wins, also one that restores the first text', async () => {
  const accountId = await createRemoteAccount(ctx)
  const facts = remoteStatusRecord({ accountId, publishedAt: minute(0), content: '<p>a</p>' })
  const { statusId } = await record(facts)
  await update({ ...facts, updatedAt: minute(3) })
  await update({ ...facts, updatedAt: minute(2), content: '<p>b</p>' })
  assert.deepEqual([(await getStatus(statusId)).content, (await getHistory(statusId)).length], ['<p>a</p>', 1])
  await update({ ...facts, updatedAt: minute(4), content: '<p>c</p>' })
  await update({ ...facts, updatedAt: minute(4), content: '<p>d</p>' })
  assert.equal((await getStatus(statusId)).content, '<p>c</p>')
  await update({ ...facts, updatedAt: new Date(Date.now() + 48 * 60 * MINUTE_MS), content: '<p>from the future</p>' })
  assert.equal((await getStatus(statusId)).content, '<p>c</p>')
})

test('a newer update of only mentions, hashtags, emojis, the URL, the language or the display of media is no edit', async () => {
  const accountId = await createRemoteAccount(ctx)
  const carol = await testServer.createUser()
  const changes: Partial<RemoteStatusFacts>[] = [
    { mentionedIds: [carol.accountId] },
    { hashtags: new Map([['b', 'B']]) },
    { emojis: [{ uri: null, shortcode: 'owl', imageUrl: `${HOST}/owl.png`, updatedAt: null }] },
    { url: `${HOST}/other-page` },
    { language: 'fr' },
    { attachments: [imageFacts('x', { focus: { x: 0.5, y: -0.5 } })] },
    { attachments: [imageFacts('x', { type: 'gifv' })] },
  ]
  for (const change of changes) {
    const attachments = [imageFacts('x'), imageFacts('x')]
    const facts = remoteStatusRecord({ accountId, publishedAt: minute(0), content: '<p>:owl:</p>', attachments })
    const { statusId } = await record(facts)
    const changed = { ...facts, ...change }
    assert.equal((await update({ ...changed, updatedAt: minute(2) }))?.change, 'refreshed', Object.keys(change).join())
    await update({ ...facts, updatedAt: minute(1) })
    const status = await getStatus(statusId)
    assert.deepEqual([status.edited_at, (await getHistory(statusId)).length], [null, 1])
    const [media] = status.media_attachments
    assert.deepEqual(
      [
        status.mentions.length,
        status.tags.map(({ name }) => name),
        status.emojis.map(({ shortcode }) => shortcode),
        [status.url, status.language],
        [media?.type, media?.meta?.focus ?? null],
      ],
      [
        change.mentionedIds?.length ?? 0,
        [...(change.hashtags?.keys() ?? [])],
        change.emojis?.map(({ shortcode }) => shortcode) ?? [],
        [changed.url, changed.language],
        [changed.attachments[0]?.type, changed.attachments[0]?.focus ?? null],
      ],
    )
    if (change.mentionedIds) assert.deepEqual(await listNotifications(carol), [`mention ${statusId}`])
  }
})

test('a newer update with the same content shows new images of its emojis', async () => {
  const sun = (file: string) => [{ uri: null, shortcode: 'sun', imageUrl: `${HOST}/${file}`, updatedAt: minute(1) }]
  const facts = remoteStatusRecord({ accountId: await createRemoteAccount(ctx), content: ':sun:' })
  const { statusId } = await record({ ...facts, emojis: sun('a.png') })
  const { url } = (await getStatus(statusId)).emojis[0]!
  await update({ ...facts, emojis: sun('b.png'), updatedAt: minute(61) })
  assert.notEqual((await getStatus(statusId)).emojis[0]!.url, url)
})

test('a newer update with the same content changes counters and tallies and is not shown as an edit', async () => {
  const accountId = await createRemoteAccount(ctx)
  const fan = await testServer.createUser()
  const poll = { options: ['1', '2'], tallies: [1, 0], multiple: false, votersCount: 1, expiresAt: minute(90) }
  const facts = remoteStatusRecord({ accountId, publishedAt: minute(0), poll, likesCount: 1 })
  const { statusId } = await record(facts)
  await ctx.write((tx) => reblogStatus({ ...tx, emit: () => {} }, { accountId: fan.accountId, statusId }))
  const counted = { ...facts, poll: { ...poll, tallies: [4, 6], votersCount: 10 }, likesCount: 9 }
  await update({ ...counted, updatedAt: minute(2) })
  await update({ ...facts, updatedAt: minute(1), content: '<p>in between</p>', likesCount: 2 })
  const status = await getStatus(statusId)
  assert.deepEqual(
    [status.content, status.edited_at, status.favourites_count, status.poll?.votes_count],
    [facts.content, null, 9, 10],
  )
  assert.deepEqual([(await getHistory(statusId)).length, await listNotifications(fan)], [1, []])
  await update({ ...facts, updatedAt: minute(3), content: '<p>new</p>' })
  await update({ ...facts, updatedAt: minute(4), content: '<p>new</p>' })
  assert.equal((await getStatus(statusId)).edited_at, minute(3).toISOString())
  assert.deepEqual(
    (await getHistory(statusId)).map((version) => version.created_at),
    [minute(0).toISOString(), minute(3).toISOString()],
  )
})

test('a newer update that changes a description, a preview or the quote is an edit', async () => {
  const accountId = await createRemoteAccount(ctx)
  const quoted = remoteStatusRecord({ accountId, publishedAt: minute(0) })
  await record(quoted)
  const changes: Partial<RemoteStatusFacts>[] = [
    { attachments: [imageFacts('x', { description: 'new' })] },
    { attachments: [imageFacts('x', { previewUrl: `${HOST}/small.png` })] },
    { quote: { uri: quoted.uri, legacy: false, approvalUri: null } },
  ]
  for (const change of changes) {
    const facts = remoteStatusRecord({ accountId, publishedAt: minute(0), attachments: [imageFacts('x')] })
    const { statusId } = await record(facts)
    assert.equal((await update({ ...facts, ...change, updatedAt: minute(1) }))?.change, 'edited')
    const { edited_at: editedAt, quote } = await getStatus(statusId)
    assert.deepEqual([editedAt, quote?.state], [minute(1).toISOString(), change.quote ? 'accepted' : undefined])
    assert.equal((await getHistory(statusId)).length, 2)
  }
})

test('an update with the date of the last edit changes counters and tallies, an older one nothing', async () => {
  const accountId = await createRemoteAccount(ctx)
  const poll = { options: ['1', '2'], tallies: [1, 0], multiple: false, votersCount: 1, expiresAt: minute(90) }
  const facts = remoteStatusRecord({ accountId, publishedAt: minute(0), poll, likesCount: 1 })
  const { statusId } = await record(facts)
  await update({ ...facts, updatedAt: minute(2), content: '<p>two</p>' })
  const counted = {
    ...facts,
    content: '<p>two</p>',
    poll: { ...poll, tallies: [4, 6], votersCount: 10 },
    likesCount: 9,
  }
  await update({ ...counted, updatedAt: minute(2) })
  await update({ ...facts, updatedAt: minute(1), poll: { ...poll, expiresAt: minute(3) }, likesCount: 2 })
  const status = await getStatus(statusId)
  assert.deepEqual(
    [status.content, status.favourites_count, status.poll?.votes_count, status.poll?.expires_at],
    ['<p>two</p>', 9, 10, minute(90).toISOString()],
  )
})

test('an update without a date changes only counters and, if the options are equal, poll tallies', async () => {
  const accountId = await createRemoteAccount(ctx)
  const poll = { options: ['1', '2'], tallies: [1, 0], multiple: false, votersCount: 1, expiresAt: null }
  const facts = remoteStatusRecord({ accountId, publishedAt: minute(0), poll, likesCount: 1, sharesCount: 5 })
  const { statusId } = await record(facts)
  const expiresAt = minute(30)
  const newPoll = { ...poll, tallies: [4, 6], votersCount: 10, expiresAt }
  const result = await update({ ...facts, content: '<p>no</p>', poll: newPoll, likesCount: 9, sharesCount: null })
  assert.equal(result?.change, 'refreshed')
  const status = await getStatus(statusId)
  assert.deepEqual(
    [status.content, status.edited_at, status.favourites_count, status.reblogs_count],
    [facts.content, null, 9, 5],
  )
  assert.deepEqual(
    [status.poll?.votes_count, status.poll?.expired, status.poll?.options[1]],
    [10, true, { title: '2', votes_count: 6 }],
  )
  await update({ ...facts, poll: { ...poll, options: ['other', '2'], tallies: [99, 99] } })
  assert.equal((await getStatus(statusId)).poll?.votes_count, 10)
})

test('IN14 an update of another account’s status is refused, and an update of an unknown status returns null', async () => {
  const [accountId, other] = [await createRemoteAccount(ctx), await createRemoteAccount(ctx)]
  const facts = remoteStatusRecord({ accountId, publishedAt: minute(0) })
  assert.equal(await update({ ...facts, updatedAt: minute(1) }), null)
  const { statusId } = await record(facts)
  const forged = { ...facts, accountId: other, updatedAt: minute(1), content: '<p>forged</p>' }
  await assert.rejects(update(forged), ForbiddenError)
  assert.equal((await getStatus(statusId)).content, facts.content)
  const alice = await testServer.createUser()
  const { body } = await alice.client.post<Status>('/api/v1/statuses', { status: 'local' })
  assert.equal(await update({ ...forged, uri: body.uri }), null)
})

test('local users who reblogged a remote status are notified of an edit', async () => {
  const accountId = await createRemoteAccount(ctx)
  const fan = await testServer.createUser()
  const facts = remoteStatusRecord({ accountId, publishedAt: minute(0) })
  const { statusId } = await record(facts)
  // Emits no event: the remote host does not exist, so the delivery would fail.
  await ctx.write((tx) => reblogStatus({ ...tx, emit: () => {} }, { accountId: fan.accountId, statusId }))
  await update({ ...facts, updatedAt: minute(1), content: '<p>new</p>' })
  assert.deepEqual(await listNotifications(fan), [`update ${statusId}`])
})
