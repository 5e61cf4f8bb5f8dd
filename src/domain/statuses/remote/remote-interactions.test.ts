import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  HOST,
  createRemoteAccount,
  createRemoteStatus,
  uniqueName,
} from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { timeOfStatusId } from '../../../lib/ids.ts'
import { reblogStatus, recordUndoneReblog } from '../interactions/reblog-status.ts'
import { deleteStatus } from '../write/delete-status.ts'
import { favouriteStatus, recordUndoneFavourite } from '../interactions/favourite-status.ts'
import { removeRemoteStatus } from './remove-remote-status.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false })
after(testServer.close)
const { ctx } = testServer

const newUri = () => `${HOST}/activities/${uniqueName()}`
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)

async function post(user: TestUser, body: Record<string, unknown> = {}): Promise<string> {
  return (await user.client.post<Status>('/api/v1/statuses', { status: 'x', ...body })).body.id
}

async function counts(id: string): Promise<[favourites: number, reblogs: number]> {
  const row = await ctx.db.selectFrom('status_stats').selectAll().where('status_id', '=', id).executeTakeFirst()
  return [row?.favourites_count ?? 0, row?.reblogs_count ?? 0]
}

const like = (accountId: string, statusId: string, uri: string) =>
  ctx.write((tx) => favouriteStatus(tx, { accountId, statusId, uri }))
const unlike = (accountId: string, statusId: string | null, uri: string | null) =>
  ctx.write((tx) => recordUndoneFavourite(tx, { accountId, statusId, uri }))
const reblog = (accountId: string, statusId: string, uri: string, publishedAt: Date | null = null) =>
  ctx.write((tx) => reblogStatus(tx, { accountId, statusId, remote: { uri, publishedAt } }))
const unreblog = (accountId: string, statusId: string | null, uri: string | null) =>
  ctx.write((tx) => recordUndoneReblog(tx, { accountId, statusId, uri }))

test('FP5 a remote favourite counts once, however often it arrives, until all its activities are undone', async () => {
  const [author, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const id = await post(author)
  const [first, second] = [newUri(), newUri()]
  await Promise.all(Array.from({ length: 20 }, () => like(remote, id, first)))
  assert.deepEqual(await counts(id), [1, 0])
  await like(remote, id, second)
  await unlike(remote, null, first)
  assert.deepEqual(await counts(id), [1, 0])
  await unlike(remote, id, second)
  assert.deepEqual(await counts(id), [0, 0])
  await unlike(remote, id, second)
  assert.deepEqual(await counts(id), [0, 0])
})

test('FP6 a favourite that is undone before it arrives is not counted; the next one is', async () => {
  const [author, remote, other] = [
    await testServer.createUser(),
    await createRemoteAccount(ctx),
    await createRemoteAccount(ctx),
  ]
  const id = await post(author)
  const uri = newUri()
  await unlike(remote, id, uri)
  await like(remote, id, uri)
  assert.deepEqual(await counts(id), [0, 0])
  await like(remote, id, newUri())
  await like(other, id, uri)
  assert.deepEqual(await counts(id), [2, 0])
})

test('an Undo that names an unknown activity id undoes the favourite or reblog of the status', async () => {
  const [author, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const id = await post(author)
  await like(remote, id, newUri())
  await reblog(remote, id, newUri())
  assert.deepEqual(await counts(id), [1, 1])
  await unlike(remote, id, newUri())
  await unreblog(remote, id, newUri())
  assert.deepEqual(await counts(id), [0, 0])
  await like(remote, id, newUri())
  await unlike(remote, id, null)
  assert.deepEqual(await counts(id), [0, 0])
})

test('IN16 an account cannot undo another account’s interaction', async () => {
  const [author, remote, other] = [
    await testServer.createUser(),
    await createRemoteAccount(ctx),
    await createRemoteAccount(ctx),
  ]
  const id = await post(author)
  const [favourite, announce] = [newUri(), newUri()]
  await like(remote, id, favourite)
  await reblog(remote, id, announce)
  await unlike(other, id, favourite)
  await unreblog(other, id, announce)
  assert.deepEqual(await counts(id), [1, 1])
})

test('IN15 a remote account can reblog only public and unlisted statuses and its own', async () => {
  const [author, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const own = await createRemoteStatus(ctx, { accountId: remote, visibility: 'private' })
  await reblog(remote, await post(author, { visibility: 'unlisted' }), newUri())
  await reblog(remote, own, newUri())
  for (const visibility of ['private', 'direct']) {
    await assert.rejects(reblog(remote, await post(author, { visibility }), newUri()), NotFoundError)
    const other = await createRemoteStatus(ctx, {
      accountId: await createRemoteAccount(ctx),
      visibility: visibility as 'private',
    })
    await assert.rejects(reblog(remote, other, newUri()), NotFoundError)
  }
})

test('a remote reblog has an id of its publication time, and is removed by its URI', async () => {
  const [author, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const id = await post(author)
  const uri = newUri()
  const reblogId = await reblog(remote, id, uri, ago(3))
  assert.ok(Math.abs(timeOfStatusId(reblogId).getTime() - ago(3).getTime()) < 60_000)
  const row = await ctx.db.selectFrom('statuses').selectAll().where('id', '=', reblogId).executeTakeFirstOrThrow()
  assert.deepEqual([row.uri, row.local, row.visibility], [uri, false, 'public'])
  assert.equal(await reblog(remote, id, uri, ago(3)), reblogId)
  assert.deepEqual(await counts(id), [0, 1])
  await ctx.write((tx) => removeRemoteStatus(tx, { uri, accountId: remote }))
  assert.deepEqual(await counts(id), [0, 0])
})

test('FP6 of two reblogs of the same status the later one counts, whichever arrives first', async () => {
  const [author, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  for (const reversed of [true, false]) {
    const [id, first, second] = [await post(author), newUri(), newUri()]
    const steps = [() => reblog(remote, id, first, ago(2)), () => reblog(remote, id, second, ago(1))]
    for (const step of reversed ? steps.toReversed() : steps) await step()
    await unreblog(remote, null, first)
    assert.deepEqual(await counts(id), [0, 1])
    await unreblog(remote, null, second)
    assert.deepEqual(await counts(id), [0, 0])
  }
})

test('a repeated reblog is shown with the URI and the time of the later activity', async () => {
  const [author, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const [id, first, second] = [await post(author), newUri(), newUri()]
  const reblogId = await reblog(remote, id, first, ago(2))
  const show = async () => {
    const { uri, url, created_at } = (await testServer.anonymous.get<Status>(`/api/v1/statuses/${reblogId}`)).body
    return [uri, url, created_at]
  }
  assert.deepEqual((await show()).slice(0, 2), [first, first])
  const at = ago(1)
  assert.equal(await reblog(remote, id, second, at), reblogId)
  assert.deepEqual(await show(), [second, second, at.toISOString()])
})

test('a blocked remote account cannot favourite or reblog the blocker’s statuses', async () => {
  const [author, remote] = [await testServer.createUser(), await createRemoteAccount(ctx)]
  const id = await post(author)
  await author.client.post(`/api/v1/accounts/${remote}/block`)
  await assert.rejects(like(remote, id, newUri()), NotFoundError)
  await assert.rejects(reblog(remote, id, newUri()), NotFoundError)
})

test('a deletion names the remote recipients to notify: one account per inbox, no local accounts', async () => {
  const author = await testServer.createUser()
  const inbox = (host: string) => ({ sharedInboxUrl: `https://${host}/inbox` })
  const [fan, sameHost, reblogger, replier] = [
    await createRemoteAccount(ctx, inbox('one.test')),
    await createRemoteAccount(ctx, inbox('one.test')),
    await createRemoteAccount(ctx, inbox('two.test')),
    await createRemoteAccount(ctx, { sharedInboxUrl: null }),
  ]
  await createRemoteAccount(ctx, inbox('three.test'))
  const id = await post(author)
  const { uri } = (await author.client.get<Status>(`/api/v1/statuses/${id}`)).body
  await author.client.post(`/api/v1/statuses/${id}/favourite`)
  await like(fan, id, newUri())
  await like(sameHost, id, newUri())
  await reblog(reblogger, id, newUri())
  await createRemoteStatus(ctx, { accountId: replier, inReplyTo: uri })
  const payloads: unknown[] = []
  await ctx.write((tx) =>
    deleteStatus(
      { ...tx, emit: (_name, payload) => payloads.push(payload) },
      { accountId: author.accountId, statusId: id },
    ),
  )
  const [deleted] = payloads as { uri: string; local: boolean; recipientIds: string[] }[]
  assert.deepEqual([deleted?.uri, deleted?.local], [uri, true])
  assert.deepEqual(deleted?.recipientIds.toSorted(), [fan, reblogger, replier].toSorted())
})
