import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import {
  HOST,
  createRemoteAccount,
  createRemoteStatus,
  uniqueName,
  remoteStatusRecord,
} from '../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Context, Status } from '../../../entities/statuses/status.ts'
import { ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { compareIds, timeOfStatusId } from '../../../lib/ids.ts'
import { recordFollowAccept } from '../../relationships/follows/answered-requests.ts'
import { favouriteStatus } from '../interactions/favourite-status.ts'
import { createStatus } from '../write/create-statuses.ts'
import { recordRemoteStatus } from './record-remote-status.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'
import { removeRemoteStatus } from './remove-remote-status.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10', MEDIA_CACHE_GB: '0' } })
after(testServer.close)
const { ctx } = testServer

const HOUR_MS = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

const record = (facts: RemoteStatusFacts) => ctx.write((tx) => recordRemoteStatus(tx, facts))

async function getStatus(id: string, as: TestUser['client'] = testServer.anonymous): Promise<Status> {
  const { body, status } = await as.get<Status>(`/api/v1/statuses/${id}`)
  assert.equal(status, 200)
  return body
}

/** Creates a local user who follows a remote account. */
async function createFollower(targetAccountId: string): Promise<TestUser> {
  const user = await testServer.createUser()
  await sql`insert into follow_requests (account_id, target_account_id) values (${user.accountId}, ${targetAccountId})`.execute(
    ctx.db,
  )
  await ctx.write((tx) => recordFollowAccept(tx, { accountId: user.accountId, targetAccountId }))
  await testServer.waitForJobs()
  return user
}

async function listHomeTimeline(user: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  return (await user.client.get<Status[]>('/api/v1/timelines/home')).body.map(({ id }) => id)
}

async function listNotifications(user: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get('/api/v1/notifications')
  return body.map((one: { type: string; status?: Status }) => `${one.type} ${one.status?.id}`)
}

test('a remote status is shown with media, mentions, hashtags, emojis, poll and counters', async () => {
  const accountId = await createRemoteAccount(ctx)
  const local = await testServer.createUser()
  const id = await createRemoteStatus(ctx, {
    accountId,
    url: `${HOST}/page`,
    content: '<p>Hello :cat:</p>',
    spoilerText: 'animals',
    sensitive: true,
    language: 'de',
    publishedAt: ago(1),
    updatedAt: ago(0.5),
    mentionedIds: [local.accountId],
    hashtags: new Map([['katze', 'Katze']]),
    emojis: [{ uri: null, shortcode: 'cat', imageUrl: `${HOST}/cat.png`, updatedAt: null }],
    attachments: [
      {
        type: 'image',
        url: `${HOST}/a.jpg`,
        mediaType: 'image/jpeg',
        description: 'A cat',
        blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
        focus: { x: 0.5, y: -0.25 },
        width: 800,
        height: 400,
        previewUrl: null,
      },
      {
        type: 'unknown',
        url: `${HOST}/b.bin`,
        mediaType: null,
        description: null,
        blurhash: null,
        focus: null,
        width: null,
        height: null,
        previewUrl: null,
      },
    ],
    poll: {
      options: ['tea :cat:', 'coffee'],
      tallies: [3, 4],
      multiple: false,
      votersCount: 7,
      expiresAt: ago(-1),
    },
    repliesCount: 2,
    sharesCount: 30,
    likesCount: 400,
  })
  const status = await getStatus(id, local.client)
  assertEntity('Status', status)
  assert.equal(status.account.id, accountId)
  assert.deepEqual([status.url, status.language, status.application], [`${HOST}/page`, 'de', null])
  assert.deepEqual([status.spoiler_text, status.sensitive], ['animals', true])
  assert.ok(status.edited_at)
  assert.deepEqual([status.replies_count, status.reblogs_count, status.favourites_count], [2, 30, 400])
  const [image, file] = status.media_attachments
  assert.deepEqual(
    [image?.url, image?.preview_url, image?.remote_url, image?.description],
    [`${HOST}/a.jpg`, `${HOST}/a.jpg`, `${HOST}/a.jpg`, 'A cat'],
  )
  assert.deepEqual(image?.meta, {
    original: { width: 800, height: 400, size: '800x400', aspect: 2 },
    focus: { x: 0.5, y: -0.25 },
  })
  assert.deepEqual([file?.type, file?.url, file?.preview_url], ['unknown', `${HOST}/b.bin`, null])
  assert.deepEqual(
    [
      status.mentions.map((one) => one.id),
      status.tags.map((one) => one.name),
      status.emojis.map((one) => one.shortcode),
    ],
    [[local.accountId], ['katze'], ['cat']],
  )
  const { poll } = status
  assert.deepEqual(
    [poll?.votes_count, poll?.voters_count, poll?.expired, poll?.voted, poll?.own_votes, poll?.emojis.length],
    [7, 7, false, false, [], 1],
  )
  assert.deepEqual(
    poll?.options.map((one) => one.votes_count),
    [3, 4],
  )
  assert.equal('voted' in (await getStatus(id)).poll!, false)
})

test('FP5 a remote status that arrives 50 times in parallel is recorded once; another account cannot use its URI', async () => {
  const [accountId, other] = [await createRemoteAccount(ctx), await createRemoteAccount(ctx)]
  const facts = remoteStatusRecord({ accountId })
  const results = await Promise.all(Array.from({ length: 50 }, () => record(facts)))
  assert.equal(new Set(results.map(({ statusId }) => statusId)).size, 1)
  assert.equal(results.filter(({ isNew }) => isNew).length, 1)
  await assert.rejects(record({ ...facts, accountId: other }), ForbiddenError)
  const { body } = await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)
  assert.equal(body.statuses_count, 1)
})

test('FP6 a deleted remote status is not recorded again, also if the deletion arrives first', async () => {
  const [accountId, other] = [await createRemoteAccount(ctx), await createRemoteAccount(ctx)]
  const facts = remoteStatusRecord({ accountId })
  const remove = (by: string) => ctx.write((tx) => removeRemoteStatus(tx, { uri: facts.uri, accountId: by }))
  await remove(other)
  const { statusId } = await record(facts)
  await assert.rejects(remove(other), ForbiddenError)
  await remove(accountId)
  await remove(accountId)
  assert.equal((await testServer.anonymous.get(`/api/v1/statuses/${statusId}`)).status, 404)
  await assert.rejects(record(facts), NotFoundError)
  const early = remoteStatusRecord({ accountId })
  await ctx.write((tx) => removeRemoteStatus(tx, { uri: early.uri, accountId }))
  await assert.rejects(record(early), NotFoundError)
})

test('IN23 the id of a remote status has its publication time; 40 statuses of one millisecond have different ids', async () => {
  const accountId = await createRemoteAccount(ctx)
  const at = new Date('2019-05-06T07:08:09.000Z')
  const ids = await Promise.all(
    Array.from({ length: 40 }, () => createRemoteStatus(ctx, { accountId, publishedAt: at })),
  )
  assert.equal(new Set(ids).size, 40)
  for (const id of ids) assert.equal(timeOfStatusId(id).getTime(), at.getTime())
  assert.equal((await getStatus(ids[0]!)).created_at, at.toISOString())
  const now = await createRemoteStatus(ctx, { accountId, publishedAt: null })
  assert.ok(Math.abs(timeOfStatusId(now).getTime() - Date.now()) < 60_000)
})

test('a recent remote status is added to feeds and notified; an old one is only stored', async () => {
  const accountId = await createRemoteAccount(ctx)
  const follower = await createFollower(accountId)
  const mentionedIds = [follower.accountId]
  const recent = await createRemoteStatus(ctx, { accountId, publishedAt: ago(5), mentionedIds })
  const old = await createRemoteStatus(ctx, { accountId, publishedAt: ago(7), mentionedIds })
  assert.deepEqual(await listHomeTimeline(follower), [recent])
  assert.deepEqual(await listNotifications(follower), [`mention ${recent}`])
  const { body } = await testServer.anonymous.get<Status[]>('/api/v1/timelines/public', { remote: true })
  const shown = body.map(({ id }) => id).filter((id) => id === recent || id === old)
  assert.deepEqual(shown, [recent, old])
})

test('an account that is addressed without a mention may read the status and is not notified', async () => {
  const accountId = await createRemoteAccount(ctx)
  const [silent, other] = [await testServer.createUser(), await testServer.createUser()]
  const unconfirmed = await testServer.createUser({ confirmed: false })
  const id = await createRemoteStatus(ctx, {
    accountId,
    visibility: 'direct',
    mentionedIds: [unconfirmed.accountId],
    silentIds: [silent.accountId],
  })
  const status = await getStatus(id, silent.client)
  assert.deepEqual(status.mentions, [])
  assert.deepEqual(await listNotifications(silent), [])
  assert.equal((await other.client.get(`/api/v1/statuses/${id}`)).status, 404)
})

test('a reply that arrives before its parent is linked to it when the parent arrives', async () => {
  const [author, replier] = [await createRemoteAccount(ctx), await createRemoteAccount(ctx)]
  const follower = await createFollower(replier)
  const parent = remoteStatusRecord({ accountId: author, publishedAt: ago(2) })
  const reply = remoteStatusRecord({ accountId: replier, inReplyTo: parent.uri, publishedAt: ago(1.5) })
  const nestedReply = remoteStatusRecord({ accountId: replier, inReplyTo: reply.uri, publishedAt: ago(1) })
  const { statusId: nestedReplyId } = await record(nestedReply)
  const { statusId: replyId } = await record(reply)
  const waiting = await getStatus(replyId)
  assert.deepEqual([waiting.in_reply_to_id, waiting.in_reply_to_account_id], [null, null])
  assert.equal((await getStatus(nestedReplyId)).in_reply_to_account_id, replier)
  // The account replied to is unknown, so the first reply is not a self-reply and is not in the feed.
  assert.deepEqual(await listHomeTimeline(follower), [nestedReplyId])
  const { body: found } = await testServer.anonymous.get<Status[]>('/api/v1/timelines/public')
  assert.ok(!found.some(({ id }) => id === replyId))

  const { statusId: parentId } = await record(parent)
  for (const [id, expectedParentId] of [
    [replyId, parentId],
    [nestedReplyId, replyId],
  ] as const) {
    const status = await getStatus(id)
    assert.deepEqual([status.in_reply_to_id, status.in_reply_to_account_id], [expectedParentId, author])
  }
  assert.equal((await getStatus(parentId)).replies_count, 1)
  const { body } = await testServer.anonymous.get<Context>(`/api/v1/statuses/${parentId}/context`)
  assert.deepEqual(
    body.descendants.map(({ id }) => id),
    [replyId, nestedReplyId],
  )
})

test('a recent reply whose parent arrives later is added to the feeds of users who follow both authors', async () => {
  const [author, replier] = [await createRemoteAccount(ctx), await createRemoteAccount(ctx)]
  const follower = await createFollower(replier)
  await sql`insert into follows (account_id, target_account_id) values (${follower.accountId}, ${author})`.execute(
    ctx.db,
  )
  const parent = remoteStatusRecord({ accountId: author, publishedAt: ago(7) })
  const id = await createRemoteStatus(ctx, { accountId: replier, inReplyTo: parent.uri, publishedAt: ago(1) })
  assert.deepEqual(await listHomeTimeline(follower), [])
  await record(parent)
  assert.deepEqual(await listHomeTimeline(follower), [id])
})

test('a parent and its replies that arrive in parallel are linked', async () => {
  const accountId = await createRemoteAccount(ctx)
  for (let round = 0; round < 10; round += 1) {
    const parent = remoteStatusRecord({ accountId })
    const replies = Array.from({ length: 4 }, () => remoteStatusRecord({ accountId, inReplyTo: parent.uri }))
    const [first, ...others] = await Promise.all([parent, ...replies].map(record))
    for (const { statusId } of others) assert.equal((await getStatus(statusId)).in_reply_to_id, first!.statusId)
    assert.equal((await getStatus(first!.statusId)).replies_count, 4)
  }
})

test('IN22 the thread of statuses that reply to each other in a cycle is finite', async () => {
  const accountId = await createRemoteAccount(ctx)
  const [a, b, c] = [uniqueName(), uniqueName(), uniqueName()].map((name) => `${HOST}/circle/${name}`)
  const { statusId } = await record(remoteStatusRecord({ accountId, uri: a!, inReplyTo: b! }))
  await record(remoteStatusRecord({ accountId, uri: b!, inReplyTo: c! }))
  await record(remoteStatusRecord({ accountId, uri: c!, inReplyTo: a! }))
  const { body } = await testServer.anonymous.get<Context>(`/api/v1/statuses/${statusId}/context`)
  assert.equal(body.descendants.length, 2)
})

test('local replies and favourites are added to the counters that the origin server reports for a remote status', async () => {
  const accountId = await createRemoteAccount(ctx)
  const id = await createRemoteStatus(ctx, { accountId, repliesCount: 0, likesCount: 1, publishedAt: ago(1) })
  const users = await Promise.all(Array.from({ length: 2 }, () => testServer.createUser()))
  // Emits no event: the remote host does not exist, so the delivery would fail.
  await ctx.write(async (tx) => {
    const silentTx = { ...tx, emit: () => {} }
    for (const user of users) await favouriteStatus(silentTx, { accountId: user.accountId, statusId: id })
    const draft = { text: 'answer', spoilerText: '', inReplyToId: id, mediaIds: [], localOnly: false }
    await createStatus(silentTx, { accountId: users[0]!.accountId, applicationId: null, draft })
  })
  const { replies_count, favourites_count } = await getStatus(id)
  assert.deepEqual([replies_count, favourites_count], [1, 3])
  assert.ok(compareIds(id, (await getStatus(await createRemoteStatus(ctx, { accountId }))).id) < 0)
})
