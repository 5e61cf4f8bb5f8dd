import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  Accept,
  Announce,
  Block,
  Collection,
  CollectionPage,
  Create,
  Delete,
  Follow,
  Like,
  Note,
  OrderedCollection,
  OrderedCollectionPage,
  PUBLIC_COLLECTION,
  Reject,
  Tombstone,
  Undo,
  Update,
} from '@fedify/fedify/vocab'
import type { Object as FedifyObject } from '@fedify/fedify/vocab'
import { parseWithFedify } from '../../../../test/federation/fedify.ts'
import type { FedifyClass } from '../../../../test/federation/fedify.ts'
import { createSigningRemoteAccount } from '../../../../test/federation/remote-account.ts'
import type { RemoteAccount } from '../../../../test/federation/remote-account.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser, TestServer } from '../../../../test/servers/test-server.ts'
import {
  toDocument,
  writeAccept,
  writeBlock,
  writeDelete,
  writeFollow,
  writeLike,
  writeReject,
  writeUndoAnnounce,
  writeUndoBlock,
  writeUndoFollow,
  writeUndoLike,
  writeUpdate,
} from './write-activities.ts'
import type { Activity } from './write-activities.ts'
import { writeNotes } from './write-notes.ts'
import { writeStatusActivities } from './write-status-activities.ts'

let testServer: TestServer
let ann: TestUser
let bob: RemoteAccount
let actor: string

before(async () => {
  testServer = await openTestServer({ effects: false })
  ann = await testServer.createUser({ username: 'ann', displayName: 'Ann' })
  bob = await createSigningRemoteAccount(testServer, { username: 'bob' })
  actor = `https://linnet.test/ap/users/${ann.accountId}`
})
after(() => testServer.close())

const hrefs = (ids: readonly URL[]) => ids.map(({ href }) => href)
const pathOf = (uri: string) => uri.replace('https://linnet.test', '')

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function get<T extends FedifyObject>(kind: FedifyClass<T>, path: string): Promise<T> {
  const headers = { accept: 'application/activity+json' }
  const { status, body } = await testServer.anonymous.send({ method: 'GET', url: path, headers })
  assert.equal(status, 200, path)
  return parseWithFedify(kind, body)
}

async function sent<T extends FedifyObject>(kind: FedifyClass<T>, activity: Activity): Promise<T> {
  const object = await parseWithFedify(kind, JSON.parse(toDocument(activity)))
  assert.equal(object.id?.href, activity.uri)
  return object
}

async function post(body: Record<string, unknown>): Promise<{ id: string; uri: string }> {
  const { status, body: made } = await ann.client.post('/api/v1/statuses', body)
  assert.equal(status, 200, JSON.stringify(made))
  return made
}

test('Fedify understands the Create, Update, Delete, Announce and Undo of local statuses', async () => {
  const made = await post({ status: 'hello', visibility: 'unlisted' })
  const now = testServer.ctx.now()
  const note = (await writeNotes(testServer.ctx, { ids: [made.id], now })).get(made.id)!
  const created = (await writeStatusActivities(testServer.ctx, { ids: [made.id], now })).get(made.id)!
  const create = await sent(Create, created)
  assert.deepEqual(
    [create.id?.href, create.actorId?.href, create.objectId?.href],
    [`${made.uri}/activity`, actor, made.uri],
  )
  assert.deepEqual(hrefs(create.toIds), [`${actor}/followers`])
  assert.deepEqual(hrefs(create.ccIds), [PUBLIC_COLLECTION.href])
  assert.ok((await create.getObject()) instanceof Note)
  assert.ok(await get(Create, `${pathOf(made.uri)}/activity`))

  const update = await sent(Update, writeUpdate(testServer.ctx.config, { note, at: new Date(1_767_520_800_123) }))
  assert.equal(update.id?.href, `${made.uri}#updates/1767520800123`)
  assert.equal(update.objectId?.href, made.uri)

  const gone = await sent(Delete, writeDelete({ actor, uri: made.uri }))
  assert.deepEqual([gone.id?.href, gone.actorId?.href], [`${made.uri}#delete`, actor])
  assert.ok((await gone.getObject()) instanceof Tombstone)

  const { body: reblog } = await ann.client.post(`/api/v1/statuses/${made.id}/reblog`)
  const announced = (await writeStatusActivities(testServer.ctx, { ids: [reblog.id], now })).get(reblog.id)!
  const announce = await sent(Announce, announced)
  assert.deepEqual([announce.id?.href, announce.objectId?.href], [reblog.uri, made.uri])
  assert.deepEqual(hrefs(announce.toIds), [PUBLIC_COLLECTION.href])
  assert.deepEqual(hrefs(announce.ccIds), [actor, `${actor}/followers`])
  const undone = await sent(Undo, writeUndoAnnounce({ reblogId: reblog.id, announce: announced }))
  assert.deepEqual([undone.id?.href, undone.objectId?.href], [`${actor}#announces/${reblog.id}/undo`, reblog.uri])
  assert.ok((await undone.getObject()) instanceof Announce)
})

test('Fedify understands a reblog of a followers-only status with the embedded note (VI7)', async () => {
  const made = await post({ status: 'for friends', visibility: 'private' })
  const { body: reblog } = await ann.client.post(`/api/v1/statuses/${made.id}/reblog`)
  const activities = await writeStatusActivities(testServer.ctx, {
    ids: [reblog.id, made.id],
    now: testServer.ctx.now(),
  })
  const announce = await sent(Announce, activities.get(reblog.id)!)
  assert.equal(String(((await announce.getObject()) as Note).content), '<p>for friends</p>')
  assert.deepEqual(hrefs(announce.toIds), [`${actor}/followers`])
})

test('Fedify understands the activities of relationships and likes', async () => {
  const like = { actor, object: 'https://remote.test/notes/1', id: '7' }
  const liked = await sent(Like, writeLike(like))
  assert.deepEqual(
    [liked.id?.href, liked.actorId?.href, liked.objectId?.href],
    [`${actor}#likes/7`, actor, like.object],
  )
  const unliked = await sent(Undo, writeUndoLike(like))
  assert.deepEqual([unliked.id?.href, unliked.objectId?.href], [`${actor}#likes/7/undo`, `${actor}#likes/7`])

  for (const uri of [null, 'https://linnet.test/5f0c1d2e']) {
    const own = { actor, object: bob.uri, id: '3', uri }
    const follow = await sent(Follow, writeFollow(own))
    assert.deepEqual([follow.id?.href, follow.objectId?.href], [uri ?? `${actor}#follows/3`, bob.uri])
    const unfollow = await sent(Undo, writeUndoFollow(own))
    assert.deepEqual([unfollow.id?.href, unfollow.objectId?.href], [`${actor}#follows/3/undo`, follow.id?.href])
    assert.equal(((await unfollow.getObject()) as Follow).objectId?.href, bob.uri)
    const block = await sent(Block, writeBlock(own))
    assert.deepEqual([block.id?.href, block.objectId?.href], [uri ?? `${actor}#blocks/3`, bob.uri])
    const unblock = await sent(Undo, writeUndoBlock(own))
    assert.ok((await unblock.getObject()) instanceof Block)
  }

  const received = { actor: bob.uri, object: actor, id: '4', uri: 'https://remote.test/follows/9' }
  for (const [activity, kind, name] of [
    [writeAccept(received), Accept, 'accepts'],
    [writeReject(received), Reject, 'rejects'],
  ] as const) {
    const response = await sent(kind as FedifyClass<Accept>, activity)
    assert.deepEqual([response.id?.href, response.actorId?.href], [`${actor}#${name}/follows/4`, actor])
    // The Follow has an id of the remote server, from which Fedify would fetch it; `trust` makes it use the embedded
    // one.
    const follow = (await response.getObject({ crossOrigin: 'trust' })) as Follow
    assert.deepEqual([follow.id?.href, follow.actorId?.href, follow.objectId?.href], [received.uri, bob.uri, actor])
  }
})

test('Fedify understands collections and their pages', async () => {
  const made = await post({ status: 'a thread' })
  const reply = await post({ status: 'goes on', in_reply_to_id: made.id })
  await testServer.ctx.db
    .insertInto('follows')
    .values({ account_id: bob.accountId, target_account_id: ann.accountId })
    .execute()
  const base = `/ap/users/${ann.accountId}`
  const outbox = await get(OrderedCollection, `${base}/outbox`)
  assert.ok(outbox.totalItems! > 0)
  const page = await get(OrderedCollectionPage, pathOf(outbox.firstId!.href))
  const [newest] = await all(page.getItems())
  assert.equal((newest as Create).objectId?.href, reply.uri)
  const followers = await get(OrderedCollectionPage, `${base}/followers?page=true`)
  assert.deepEqual(hrefs(followers.itemIds), [bob.uri])
  assert.ok(await get(OrderedCollection, `${base}/following`))
  assert.ok(await get(OrderedCollection, `${base}/collections/featured`))
  assert.ok(await get(Collection, `${base}/collections/tags`))
  assert.ok(await get(Collection, `${pathOf(made.uri)}/likes`))
  assert.ok(await get(Collection, `${pathOf(made.uri)}/shares`))
  const replies = await get(Collection, `${pathOf(made.uri)}/replies`)
  const first = await get(CollectionPage, pathOf(replies.firstId!.href))
  assert.deepEqual(hrefs(first.itemIds), [reply.uri])
  assert.equal(first.partOfId?.href, `${made.uri}/replies`)
})
