import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HOST, makeRemote, makeRemoteStatus, newName } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Status } from '../../entities/status.ts'
import { NotFound } from '../../lib/errors.ts'
import { timeOfStatusId } from '../../lib/ids.ts'
import { boostStatus, takeBackBoost } from './boost.ts'
import { deleteStatus } from './delete.ts'
import { favouriteStatus, takeBackFavourite } from './favourite.ts'
import { removeRemoteStatus } from './remove-remote.ts'

const world = await openWorld({ env: { DB_POOL: '10' }, effects: false })
after(world.close)
const { ctx } = world

const newUri = () => `${HOST}/deeds/${newName()}`
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)

async function post(person: Person, body: Record<string, unknown> = {}): Promise<string> {
  return (await person.client.post<Status>('/api/v1/statuses', { status: 'x', ...body })).body.id
}

async function counts(id: string): Promise<[favourites: number, boosts: number]> {
  const row = await ctx.db.selectFrom('status_stats').selectAll().where('status_id', '=', id).executeTakeFirst()
  return [row?.favourites_count ?? 0, row?.reblogs_count ?? 0]
}

const like = (accountId: string, statusId: string, uri: string) =>
  ctx.write((tx) => favouriteStatus(tx, { accountId, statusId, uri }))
const unlike = (accountId: string, statusId: string | null, uri: string | null) =>
  ctx.write((tx) => takeBackFavourite(tx, { accountId, statusId, uri }))
const boost = (accountId: string, statusId: string, uri: string, publishedAt: Date | null = null) =>
  ctx.write((tx) => boostStatus(tx, { accountId, statusId, remote: { uri, publishedAt } }))
const unboost = (accountId: string, statusId: string | null, uri: string | null) =>
  ctx.write((tx) => takeBackBoost(tx, { accountId, statusId, uri }))

test('FP5 a favourite from elsewhere counts once, however often it comes, until all that made it is taken back', async () => {
  const [author, remote] = [await world.createPerson(), await makeRemote(ctx)]
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

test('FP6 a favourite that is taken back before it comes never counts; the next one does', async () => {
  const [author, remote, other] = [await world.createPerson(), await makeRemote(ctx), await makeRemote(ctx)]
  const id = await post(author)
  const uri = newUri()
  await unlike(remote, id, uri)
  await like(remote, id, uri)
  assert.deepEqual(await counts(id), [0, 0])
  await like(remote, id, newUri())
  await like(other, id, uri)
  assert.deepEqual(await counts(id), [2, 0])
})

test('a server that names another activity when it takes a favourite or a boost back is understood', async () => {
  const [author, remote] = [await world.createPerson(), await makeRemote(ctx)]
  const id = await post(author)
  await like(remote, id, newUri())
  await boost(remote, id, newUri())
  assert.deepEqual(await counts(id), [1, 1])
  await unlike(remote, id, newUri())
  await unboost(remote, id, newUri())
  assert.deepEqual(await counts(id), [0, 0])
  await like(remote, id, newUri())
  await unlike(remote, id, null)
  assert.deepEqual(await counts(id), [0, 0])
})

test('IN16 nobody takes back what somebody else did', async () => {
  const [author, remote, other] = [await world.createPerson(), await makeRemote(ctx), await makeRemote(ctx)]
  const id = await post(author)
  const [favourite, announce] = [newUri(), newUri()]
  await like(remote, id, favourite)
  await boost(remote, id, announce)
  await unlike(other, id, favourite)
  await unboost(other, id, announce)
  assert.deepEqual(await counts(id), [1, 1])
})

test('IN15 from elsewhere only what is for everybody is boosted, or one’s own', async () => {
  const [author, remote] = [await world.createPerson(), await makeRemote(ctx)]
  const own = await makeRemoteStatus(ctx, { accountId: remote, visibility: 'private' })
  await boost(remote, await post(author, { visibility: 'unlisted' }), newUri())
  await boost(remote, own, newUri())
  for (const visibility of ['private', 'direct']) {
    await assert.rejects(boost(remote, await post(author, { visibility }), newUri()), NotFound)
    const others = await makeRemoteStatus(ctx, {
      accountId: await makeRemote(ctx),
      visibility: visibility as 'private',
    })
    await assert.rejects(boost(remote, others, newUri()), NotFound)
  }
})

test('a boost from elsewhere lies where it was published, and comes to an end by its address', async () => {
  const [author, remote] = [await world.createPerson(), await makeRemote(ctx)]
  const id = await post(author)
  const uri = newUri()
  const boostId = await boost(remote, id, uri, ago(3))
  assert.ok(Math.abs(timeOfStatusId(boostId).getTime() - ago(3).getTime()) < 60_000)
  const row = await ctx.db.selectFrom('statuses').selectAll().where('id', '=', boostId).executeTakeFirstOrThrow()
  assert.deepEqual([row.uri, row.local, row.visibility], [uri, false, 'public'])
  assert.equal(await boost(remote, id, uri, ago(3)), boostId)
  assert.deepEqual(await counts(id), [0, 1])
  await ctx.write((tx) => removeRemoteStatus(tx, { uri, accountId: remote }))
  assert.deepEqual(await counts(id), [0, 0])
})

test('FP6 a boost that is boosted again is the later one, whichever came first', async () => {
  const [author, remote] = [await world.createPerson(), await makeRemote(ctx)]
  for (const late of [true, false]) {
    const [id, first, second] = [await post(author), newUri(), newUri()]
    const steps = [() => boost(remote, id, first, ago(2)), () => boost(remote, id, second, ago(1))]
    for (const step of late ? steps.toReversed() : steps) await step()
    await unboost(remote, null, first)
    assert.deepEqual(await counts(id), [0, 1])
    await unboost(remote, null, second)
    assert.deepEqual(await counts(id), [0, 0])
  }
})

test('who is blocked does nothing with the other’s statuses, wherever they are', async () => {
  const [author, remote] = [await world.createPerson(), await makeRemote(ctx)]
  const id = await post(author)
  await author.client.post(`/api/v1/accounts/${remote}/block`)
  await assert.rejects(like(remote, id, newUri()), NotFound)
  await assert.rejects(boost(remote, id, newUri()), NotFound)
})

test('a deletion tells whom elsewhere it reached: one for each inbox, nobody of here', async () => {
  const author = await world.createPerson()
  const inbox = (host: string) => ({ sharedInboxUrl: `https://${host}/inbox` })
  const [fan, sameHost, booster, answerer] = [
    await makeRemote(ctx, inbox('one.test')),
    await makeRemote(ctx, inbox('one.test')),
    await makeRemote(ctx, inbox('two.test')),
    await makeRemote(ctx, { sharedInboxUrl: null }),
  ]
  await makeRemote(ctx, inbox('three.test'))
  const id = await post(author)
  const { uri } = (await author.client.get<Status>(`/api/v1/statuses/${id}`)).body
  await author.client.post(`/api/v1/statuses/${id}/favourite`)
  await like(fan, id, newUri())
  await like(sameHost, id, newUri())
  await boost(booster, id, newUri())
  await makeRemoteStatus(ctx, { accountId: answerer, inReplyTo: uri })
  const told: unknown[] = []
  await ctx.write((tx) =>
    deleteStatus(
      { ...tx, emit: (_name, payload) => told.push(payload) },
      { accountId: author.accountId, statusId: id },
    ),
  )
  const [deleted] = told as { uri: string; local: boolean; reachedIds: string[] }[]
  assert.deepEqual([deleted?.uri, deleted?.local], [uri, true])
  assert.deepEqual(deleted?.reachedIds.toSorted(), [fan, booster, answerer].toSorted())
})
