import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { HOST, makeRemote, makeRemoteStatus, newName, statusFacts } from '../../../test/remote.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Context, Status } from '../../entities/status.ts'
import { Forbidden, NotFound } from '../../lib/errors.ts'
import { compareIds, timeOfStatusId } from '../../lib/ids.ts'
import { acceptOwnRequest } from '../relationships/own-requests.ts'
import { favouriteStatus } from './favourite.ts'
import { postStatus } from './post.ts'
import { recordRemoteStatus } from './record-remote.ts'
import type { RemoteStatusFacts } from './record-remote.ts'
import { removeRemoteStatus } from './remove-remote.ts'

const world = await openWorld({ env: { DB_POOL: '10', MEDIA_CACHE_GB: '0' } })
after(world.close)
const { ctx } = world

const HOUR_MS = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)

const record = (facts: RemoteStatusFacts) => ctx.write((tx) => recordRemoteStatus(tx, facts))

async function show(id: string, as: Person['client'] = world.anonymous): Promise<Status> {
  const { body, status } = await as.get<Status>(`/api/v1/statuses/${id}`)
  assert.equal(status, 200)
  return body
}

/** Somebody here who follows somebody elsewhere. */
async function createFollower(targetAccountId: string): Promise<Person> {
  const person = await world.createPerson()
  await sql`insert into follow_requests (account_id, target_account_id) values (${person.accountId}, ${targetAccountId})`.execute(
    ctx.db,
  )
  await ctx.write((tx) => acceptOwnRequest(tx, { accountId: person.accountId, targetAccountId }))
  await world.settle()
  return person
}

async function homeOf(person: Person): Promise<string[]> {
  await world.settle()
  return (await person.client.get<Status[]>('/api/v1/timelines/home')).body.map(({ id }) => id)
}

async function kindsOf(person: Person): Promise<string[]> {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications')
  return body.map((one: { type: string; status?: Status }) => `${one.type} ${one.status?.id}`)
}

test('a status of another server is shown with all that hangs on it', async () => {
  const accountId = await makeRemote(ctx)
  const local = await world.createPerson()
  const id = await makeRemoteStatus(ctx, {
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
  const status = await show(id, local.client)
  assertOnWire('Status', status)
  assert.equal(status.account.id, accountId)
  assert.deepEqual([status.url, status.language, status.application], [`${HOST}/page`, 'de', null])
  assert.deepEqual([status.spoiler_text, status.sensitive], ['animals', true])
  assert.ok(status.edited_at)
  assert.deepEqual([status.replies_count, status.reblogs_count, status.favourites_count], [2, 30, 400])
  const [picture, file] = status.media_attachments
  assert.deepEqual(
    [picture?.url, picture?.preview_url, picture?.remote_url, picture?.description],
    [`${HOST}/a.jpg`, `${HOST}/a.jpg`, `${HOST}/a.jpg`, 'A cat'],
  )
  assert.deepEqual(picture?.meta, {
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
  assert.equal('voted' in (await show(id)).poll!, false)
})

test('FP5 a status that comes 50 times at once is one; somebody else can’t have its address', async () => {
  const [accountId, other] = [await makeRemote(ctx), await makeRemote(ctx)]
  const facts = statusFacts({ accountId })
  const answers = await Promise.all(Array.from({ length: 50 }, () => record(facts)))
  assert.equal(new Set(answers.map(({ statusId }) => statusId)).size, 1)
  assert.equal(answers.filter(({ isNew }) => isNew).length, 1)
  await assert.rejects(record({ ...facts, accountId: other }), Forbidden)
  const { body } = await world.anonymous.get(`/api/v1/accounts/${accountId}`)
  assert.equal(body.statuses_count, 1)
})

test('FP6 what was deleted does not come back, whichever of the two came first', async () => {
  const [accountId, other] = [await makeRemote(ctx), await makeRemote(ctx)]
  const facts = statusFacts({ accountId })
  const remove = (by: string) => ctx.write((tx) => removeRemoteStatus(tx, { uri: facts.uri, accountId: by }))
  await remove(other)
  const { statusId } = await record(facts)
  await assert.rejects(remove(other), Forbidden)
  await remove(accountId)
  await remove(accountId)
  assert.equal((await world.anonymous.get(`/api/v1/statuses/${statusId}`)).status, 404)
  await assert.rejects(record(facts), NotFound)
  const early = statusFacts({ accountId })
  await ctx.write((tx) => removeRemoteStatus(tx, { uri: early.uri, accountId }))
  await assert.rejects(record(early), NotFound)
})

test('IN23 an id is of the moment of publication, in the past; many of one moment do not meet', async () => {
  const accountId = await makeRemote(ctx)
  const at = new Date('2019-05-06T07:08:09.000Z')
  const ids = await Promise.all(Array.from({ length: 40 }, () => makeRemoteStatus(ctx, { accountId, publishedAt: at })))
  assert.equal(new Set(ids).size, 40)
  for (const id of ids) assert.equal(timeOfStatusId(id).getTime(), at.getTime())
  assert.equal((await show(ids[0]!)).created_at, at.toISOString())
  const now = await makeRemoteStatus(ctx, { accountId, publishedAt: null })
  assert.ok(Math.abs(timeOfStatusId(now).getTime() - Date.now()) < 60_000)
})

test('what is news comes into feeds and is told; what is found later is only there', async () => {
  const accountId = await makeRemote(ctx)
  const follower = await createFollower(accountId)
  const mentionedIds = [follower.accountId]
  const fresh = await makeRemoteStatus(ctx, { accountId, publishedAt: ago(5), mentionedIds })
  const old = await makeRemoteStatus(ctx, { accountId, publishedAt: ago(7), mentionedIds })
  assert.deepEqual(await homeOf(follower), [fresh])
  assert.deepEqual(await kindsOf(follower), [`mention ${fresh}`])
  const { body } = await world.anonymous.get<Status[]>('/api/v1/timelines/public', { remote: true })
  const shown = body.map(({ id }) => id).filter((id) => id === fresh || id === old)
  assert.deepEqual(shown, [fresh, old])
})

test('who is addressed without a mention may read it, and is not told', async () => {
  const accountId = await makeRemote(ctx)
  const [silent, stranger] = [await world.createPerson(), await world.createPerson()]
  const unconfirmed = await world.createPerson({ confirmed: false })
  const id = await makeRemoteStatus(ctx, {
    accountId,
    visibility: 'direct',
    mentionedIds: [unconfirmed.accountId],
    silentIds: [silent.accountId],
  })
  const status = await show(id, silent.client)
  assert.deepEqual(status.mentions, [])
  assert.deepEqual(await kindsOf(silent), [])
  assert.equal((await stranger.client.get(`/api/v1/statuses/${id}`)).status, 404)
})

test('a reply waits for its parent, and hangs on it as if it had come after', async () => {
  const [author, answerer] = [await makeRemote(ctx), await makeRemote(ctx)]
  const follower = await createFollower(answerer)
  const parent = statusFacts({ accountId: author, publishedAt: ago(2) })
  const reply = statusFacts({ accountId: answerer, inReplyTo: parent.uri, publishedAt: ago(1.5) })
  const further = statusFacts({ accountId: answerer, inReplyTo: reply.uri, publishedAt: ago(1) })
  const { statusId: furtherId } = await record(further)
  const { statusId: replyId } = await record(reply)
  const waiting = await show(replyId)
  assert.deepEqual([waiting.in_reply_to_id, waiting.in_reply_to_account_id], [null, null])
  assert.equal((await show(furtherId)).in_reply_to_account_id, answerer)
  // Nobody knows whom it answers, so it is no talk of its own.
  assert.deepEqual(await homeOf(follower), [furtherId])
  const { body: found } = await world.anonymous.get<Status[]>('/api/v1/timelines/public')
  assert.ok(!found.some(({ id }) => id === replyId))

  const { statusId: parentId } = await record(parent)
  for (const [id, parentOf] of [
    [replyId, parentId],
    [furtherId, replyId],
  ] as const) {
    const status = await show(id)
    assert.deepEqual([status.in_reply_to_id, status.in_reply_to_account_id], [parentOf, author])
  }
  assert.equal((await show(parentId)).replies_count, 1)
  const { body } = await world.anonymous.get<Context>(`/api/v1/statuses/${parentId}/context`)
  assert.deepEqual(
    body.descendants.map(({ id }) => id),
    [replyId, furtherId],
  )
})

test('a reply whose parent comes while it is news reaches those who follow both', async () => {
  const [author, answerer] = [await makeRemote(ctx), await makeRemote(ctx)]
  const follower = await createFollower(answerer)
  await sql`insert into follows (account_id, target_account_id) values (${follower.accountId}, ${author})`.execute(
    ctx.db,
  )
  const parent = statusFacts({ accountId: author, publishedAt: ago(7) })
  const id = await makeRemoteStatus(ctx, { accountId: answerer, inReplyTo: parent.uri, publishedAt: ago(1) })
  assert.deepEqual(await homeOf(follower), [])
  await record(parent)
  assert.deepEqual(await homeOf(follower), [id])
})

test('parent and reply that come at the same moment find each other', async () => {
  const accountId = await makeRemote(ctx)
  for (let round = 0; round < 10; round += 1) {
    const parent = statusFacts({ accountId })
    const replies = Array.from({ length: 4 }, () => statusFacts({ accountId, inReplyTo: parent.uri }))
    const [first, ...others] = await Promise.all([parent, ...replies].map(record))
    for (const { statusId } of others) assert.equal((await show(statusId)).in_reply_to_id, first!.statusId)
    assert.equal((await show(first!.statusId)).replies_count, 4)
  }
})

test('IN22 statuses that answer each other in a circle are a thread that ends', async () => {
  const accountId = await makeRemote(ctx)
  const [a, b, c] = [newName(), newName(), newName()].map((name) => `${HOST}/circle/${name}`)
  const { statusId } = await record(statusFacts({ accountId, uri: a!, inReplyTo: b! }))
  await record(statusFacts({ accountId, uri: b!, inReplyTo: c! }))
  await record(statusFacts({ accountId, uri: c!, inReplyTo: a! }))
  const { body } = await world.anonymous.get<Context>(`/api/v1/statuses/${statusId}/context`)
  assert.equal(body.descendants.length, 2)
})

test('what is answered here counts at a status of another server, beside what its origin counts', async () => {
  const accountId = await makeRemote(ctx)
  const id = await makeRemoteStatus(ctx, { accountId, repliesCount: 0, likesCount: 1, publishedAt: ago(1) })
  const people = await Promise.all(Array.from({ length: 2 }, () => world.createPerson()))
  // Told to nobody: there is no server of that name.
  await ctx.write(async (tx) => {
    const quiet = { ...tx, emit: () => {} }
    for (const one of people) await favouriteStatus(quiet, { accountId: one.accountId, statusId: id })
    const draft = { text: 'answer', spoilerText: '', inReplyToId: id, mediaIds: [], localOnly: false }
    await postStatus(quiet, { accountId: people[0]!.accountId, applicationId: null, draft })
  })
  const { replies_count, favourites_count } = await show(id)
  assert.deepEqual([replies_count, favourites_count], [1, 3])
  assert.ok(compareIds(id, (await show(await makeRemoteStatus(ctx, { accountId }))).id) < 0)
})
