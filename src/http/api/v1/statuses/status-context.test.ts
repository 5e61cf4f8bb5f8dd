// Slow: fills threads with thousands of replies.
// In a process of its own: measures how long the event loop is blocked, also by collecting the garbage of other files.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { createUsers } from '../../../../../test/servers/create-users.ts'
import { disableRateLimits } from '../../../../../test/servers/uncached-server.ts'
import { measureEventLoopBlock } from '../../../../../test/performance/measure-event-loop-block.ts'
import { createReplies } from '../../../../../test/features/threads.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { limit } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Context } from '../../../../entities/statuses/status.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
// One client repeats small requests as fast as possible.
disableRateLimits(testServer)
const url = await testServer.listen()
const users = await createUsers(testServer.ctx, { prefix: 'many', count: 500 })

async function post(user: TestUser, body: object): Promise<string> {
  const { status, body: posted } = await user.client.post('/api/v1/statuses', { status: 'words', ...body })
  assert.equal(status, 200, JSON.stringify(posted))
  return posted.id
}

async function threadOf(
  client: TestUser['client'],
  id: string,
): Promise<{ ancestors: string[]; descendants: string[] }> {
  const { status, body } = await client.get<Context>(`/api/v1/statuses/${id}/context`)
  assert.equal(status, 200)
  return {
    ancestors: body.ancestors.map((status) => status.id),
    descendants: body.descendants.map((status) => status.id),
  }
}

/** Downloads a thread over a socket, as clients do. Returns its bytes. */
async function download(id: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/statuses/${id}/context`, {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(response.status, 200)
  let bytes = 0
  for await (const chunk of response.body!) bytes += chunk.length
  return bytes
}

/** Repeats a small request until the work is done. Returns the number of responses. */
async function readWhile(work: Promise<unknown>, token: string, id: string): Promise<number> {
  let done = false
  void work.finally(() => (done = true))
  let reads = 0
  while (!done) {
    const response = await fetch(`${url}/api/v1/statuses/${id}`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(response.status, 200)
    await response.arrayBuffer()
    reads += 1
  }
  return reads
}

test('BI15 a thread of 10,000 replies, wide or deep, is cut at 4,096 and does not block other requests', async () => {
  const [reader, other] = [await testServer.createUser(), await testServer.createUser()]
  const canary = await post(other, {})
  const readThread = async (parentOf: string): Promise<number> => {
    const rootId = await post(reader, {})
    const ids = await createReplies(testServer.ctx, { rootId, accountIds: users, count: 10_000, parentOf })
    const before = process.memoryUsage.rss()
    let responseCount = 0
    let bytes: number[] = []
    const blockedMs = await measureEventLoopBlock(async () => {
      const work = Promise.all([1, 2].map(async () => download(rootId, reader.token)))
      responseCount = await readWhile(work, other.token, canary)
      bytes = await work
    })
    assert.ok(responseCount > 10, `${parentOf}: ${responseCount} responses to another client meanwhile`)
    assert.ok(bytes.every((length) => length > 4_096 * 1_000))
    assert.ok(process.memoryUsage.rss() - before < 100_000_000)
    assert.deepEqual(await threadOf(reader.client, rootId), { ancestors: [], descendants: ids.slice(0, 4_096) })
    const { ancestors, descendants } = await threadOf(reader.client, ids.at(-1)!)
    assert.deepEqual([ancestors, descendants], [parentOf === '0' ? [rootId] : ids.slice(-4_097, -1), []])
    return blockedMs
  }
  for (const parentOf of ['0', 'n - 1']) {
    // Two threads, so that a heap which grows while one of them is read does not count.
    const blockedMs = [await readThread(parentOf), await readThread(parentOf)]
    assert.ok(Math.min(...blockedMs) < 50, `${parentOf}: event loop blocked for ${blockedMs.join(' and ')} ms`)
  }
})

test('a thread is in depth-first order, also across the chunks of the response', async () => {
  const author = await testServer.createUser()
  const rootId = await post(author, {})
  const ids = await createReplies(testServer.ctx, {
    rootId,
    accountIds: users.slice(0, 7),
    count: 1_000,
    parentOf: 'n / 3',
  })
  const authorOf = (n: number) => (n === 0 ? -1 : n % 7)
  const repliesTo = Map.groupBy(
    ids
      .keys()
      .map((index) => index + 1)
      .toArray(),
    (n) => Math.floor(n / 3),
  )
  const descendantsOf = (n: number): number[] => {
    const isOwn = (reply: number) => Number(authorOf(reply) === authorOf(n))
    const replies = repliesTo.get(n)?.toSorted((a, b) => isOwn(b) - isOwn(a) || a - b) ?? []
    return replies.flatMap((reply) => [reply, ...descendantsOf(reply)])
  }
  const thread = await threadOf(author.client, rootId)
  assert.deepEqual(
    thread.descendants,
    descendantsOf(0).map((n) => ids[n - 1]),
  )
})

test('anonymous requests get at most 40 ancestors, 60 descendants and 20 levels', async () => {
  const author = await testServer.createUser()
  const [wide, deep] = [await post(author, {}), await post(author, {})]
  const replies = await createReplies(testServer.ctx, { rootId: wide, accountIds: users, count: 100, parentOf: '0' })
  const chain = await createReplies(testServer.ctx, { rootId: deep, accountIds: users, count: 100, parentOf: 'n - 1' })
  assert.deepEqual((await threadOf(testServer.anonymous, wide)).descendants, replies.slice(0, 60))
  assert.deepEqual((await threadOf(testServer.anonymous, deep)).descendants, chain.slice(0, 20))
  assert.deepEqual((await threadOf(testServer.anonymous, chain[99]!)).ancestors, chain.slice(59, 99))
  assert.deepEqual((await threadOf(author.client, wide)).descendants, replies)
  assert.deepEqual((await threadOf(author.client, deep)).descendants, chain)
  assert.deepEqual((await threadOf(author.client, chain[99]!)).ancestors, [deep, ...chain.slice(0, 99)])
})

test('threads of any size run the same number of SQL statements', async () => {
  const author = await testServer.createUser()
  const [few, many] = [await post(author, {}), await post(author, {})]
  await createReplies(testServer.ctx, { rootId: few, accountIds: users, count: 2, parentOf: '0' })
  await createReplies(testServer.ctx, { rootId: many, accountIds: users, count: 50, parentOf: 'n / 2' })
  for (const id of [few, many]) await threadOf(author.client, id)
  const cost = (id: string) => countQueries(async () => threadOf(author.client, id))
  assert.equal(await cost(many), await cost(few))
})

test('self-replies come before other replies at every level', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const root = await post(alice, {})
  const others = await post(bob, { in_reply_to_id: root })
  const own = await post(alice, { in_reply_to_id: root })
  const reply = await post(alice, { in_reply_to_id: others })
  const bobsOwn = await post(bob, { in_reply_to_id: others })
  const further = await post(alice, { in_reply_to_id: own })
  const { body } = await bob.client.get<Context>(`/api/v1/statuses/${root}/context`)
  assertEntity('Context', body)
  assert.deepEqual(
    body.descendants.map(({ id }) => id),
    [own, further, others, bobsOwn, reply],
  )
})

test('VI2 threads leave out blocked, muted and limited accounts, but keep the replies to them', async () => {
  const [alice, bob, viewer] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const root = await post(alice, {})
  const first = await post(bob, { in_reply_to_id: root })
  const second = await post(alice, { in_reply_to_id: first })
  const own = await post(viewer, { in_reply_to_id: second })
  const complete = { ancestors: [], descendants: [first, second, own] }
  const without = { ancestors: [], descendants: [second, own] }
  const readThread = async () => threadOf(viewer.client, root)
  assert.deepEqual(await readThread(), complete)
  for (const action of ['block', 'mute']) {
    await viewer.client.post(`/api/v1/accounts/${bob.accountId}/${action}`)
    assert.deepEqual(await readThread(), without, action)
    assert.deepEqual((await threadOf(viewer.client, own)).ancestors, [root, second], action)
    await viewer.client.post(`/api/v1/accounts/${bob.accountId}/un${action}`)
    assert.deepEqual(await readThread(), complete, action)
  }
  await limit(testServer.ctx, bob)
  assert.deepEqual(await readThread(), without)
  assert.deepEqual((await threadOf(testServer.anonymous, root)).descendants, [second, own])
  await viewer.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
  assert.deepEqual(await readThread(), complete)
  await limit(testServer.ctx, viewer)
  assert.deepEqual(await readThread(), complete, 'the viewer’s own statuses are always included')
  await bob.client.post(`/api/v1/accounts/${viewer.accountId}/block`)
  assert.deepEqual(await readThread(), without, 'accounts that block the viewer are left out')
})

test('a thread with a cycle ends', async () => {
  const author = await testServer.createUser()
  const root = await post(author, {})
  const [first, second] = [await post(author, { in_reply_to_id: root }), await post(author, { in_reply_to_id: root })]
  await testServer.ctx.db.updateTable('statuses').set({ in_reply_to_id: second }).where('id', '=', root).execute()
  assert.deepEqual(await threadOf(author.client, root), { ancestors: [second], descendants: [first, second] })
  assert.deepEqual(await threadOf(author.client, second), { ancestors: [root], descendants: [root, first] })
  await testServer.ctx.db.updateTable('statuses').set({ in_reply_to_id: root }).where('id', '=', root).execute()
  assert.deepEqual(await threadOf(author.client, root), { ancestors: [], descendants: [first, second] })
})

test('the context of a hidden status gets the response of an unknown status', async () => {
  const [alice, viewer] = [await testServer.createUser(), await testServer.createUser()]
  const hidden = await post(alice, { visibility: 'private' })
  const [hiddenContext, unknownContext] = [
    await viewer.client.get(`/api/v1/statuses/${hidden}/context`),
    await viewer.client.get('/api/v1/statuses/4711/context'),
  ]
  assert.deepEqual([hiddenContext.status, hiddenContext.body], [404, unknownContext.body])
})
