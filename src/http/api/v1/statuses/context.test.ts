// Slow: fills threads with thousands of replies.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../../test/count-queries.ts'
import { createCrowd } from '../../../../../test/create-crowd.ts'
import { letAll } from '../../../../../test/forgetful.ts'
import { measureStall } from '../../../../../test/stall.ts'
import { growThread } from '../../../../../test/threads.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import type { Context } from '../../../../entities/status.ts'

const world = await openWorld({ effects: false })
after(world.close)
// Somebody asks for small things as fast as they come.
letAll(world)
const url = await world.listen()
const crowd = await createCrowd(world.ctx, { prefix: 'many', count: 500 })

async function post(person: Person, body: object): Promise<string> {
  const { status, body: posted } = await person.client.post('/api/v1/statuses', { status: 'words', ...body })
  assert.equal(status, 200, JSON.stringify(posted))
  return posted.id
}

async function threadOf(client: Person['client'], id: string): Promise<{ above: string[]; below: string[] }> {
  const { status, body } = await client.get<Context>(`/api/v1/statuses/${id}/context`)
  assert.equal(status, 200)
  return { above: body.ancestors.map((one) => one.id), below: body.descendants.map((one) => one.id) }
}

/** Reads a thread over a socket, as clients do, and gives its length. */
async function download(id: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/statuses/${id}/context`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(answer.status, 200)
  let bytes = 0
  for await (const chunk of answer.body!) bytes += chunk.length
  return bytes
}

/** How long each look at something small takes while the work goes on, in the processor's time of this thread. */
async function readWhile(work: Promise<unknown>, token: string, id: string): Promise<number> {
  let done = false
  void work.finally(() => (done = true))
  let looks = 0
  while (!done) {
    const answer = await fetch(`${url}/api/v1/statuses/${id}`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 200)
    await answer.arrayBuffer()
    looks += 1
  }
  return looks
}

test('BI15 a thread of 10,000 replies, wide or deep, comes as far as it is shown and holds up nobody', async () => {
  const [reader, other] = [await world.createPerson(), await world.createPerson()]
  const canary = await post(other, {})
  for (const parentOf of ['0', 'n - 1']) {
    const rootId = await post(reader, {})
    const ids = await growThread(world.ctx, { rootId, accountIds: crowd, count: 10_000, parentOf })
    const before = process.memoryUsage.rss()
    let looks = 0
    let bytes: number[] = []
    const stallMs = await measureStall(async () => {
      const work = Promise.all([1, 2].map(async () => download(rootId, reader.token)))
      looks = await readWhile(work, other.token, canary)
      bytes = await work
    })
    assert.ok(stallMs < 50, `${parentOf}: held up for ${stallMs} ms`)
    assert.ok(looks > 10, `${parentOf}: somebody else had ${looks} answers meanwhile`)
    assert.ok(bytes.every((one) => one > 4_096 * 1_000))
    assert.ok(process.memoryUsage.rss() - before < 100_000_000)
    assert.deepEqual(await threadOf(reader.client, rootId), { above: [], below: ids.slice(0, 4_096) })
    const { above, below } = await threadOf(reader.client, ids.at(-1)!)
    assert.deepEqual([above, below], [parentOf === '0' ? [rootId] : ids.slice(-4_097, -1), []])
  }
})

test('a thread is told depth first, also across the pieces in which it is written', async () => {
  const author = await world.createPerson()
  const rootId = await post(author, {})
  const ids = await growThread(world.ctx, { rootId, accountIds: crowd.slice(0, 7), count: 1_000, parentOf: 'n / 3' })
  const authorOf = (n: number) => (n === 0 ? -1 : n % 7)
  const repliesTo = Map.groupBy(
    ids
      .keys()
      .map((place) => place + 1)
      .toArray(),
    (n) => Math.floor(n / 3),
  )
  const below = (n: number): number[] => {
    const isOwn = (reply: number) => Number(authorOf(reply) === authorOf(n))
    const replies = repliesTo.get(n)?.toSorted((a, b) => isOwn(b) - isOwn(a) || a - b) ?? []
    return replies.flatMap((reply) => [reply, ...below(reply)])
  }
  const seen = await threadOf(author.client, rootId)
  assert.deepEqual(
    seen.below,
    below(0).map((n) => ids[n - 1]),
  )
})

test('a stranger sees forty of what is above, sixty of what is below, and twenty steps down', async () => {
  const author = await world.createPerson()
  const [wide, deep] = [await post(author, {}), await post(author, {})]
  const replies = await growThread(world.ctx, { rootId: wide, accountIds: crowd, count: 100, parentOf: '0' })
  const chain = await growThread(world.ctx, { rootId: deep, accountIds: crowd, count: 100, parentOf: 'n - 1' })
  assert.deepEqual((await threadOf(world.anonymous, wide)).below, replies.slice(0, 60))
  assert.deepEqual((await threadOf(world.anonymous, deep)).below, chain.slice(0, 20))
  assert.deepEqual((await threadOf(world.anonymous, chain[99]!)).above, chain.slice(59, 99))
  assert.deepEqual((await threadOf(author.client, wide)).below, replies)
  assert.deepEqual((await threadOf(author.client, deep)).below, chain)
  assert.deepEqual((await threadOf(author.client, chain[99]!)).above, [deep, ...chain.slice(0, 99)])
})

test('a thread of any size costs no statement for each status', async () => {
  const author = await world.createPerson()
  const [few, many] = [await post(author, {}), await post(author, {})]
  await growThread(world.ctx, { rootId: few, accountIds: crowd, count: 2, parentOf: '0' })
  await growThread(world.ctx, { rootId: many, accountIds: crowd, count: 50, parentOf: 'n / 2' })
  for (const id of [few, many]) await threadOf(author.client, id)
  const cost = (id: string) => countQueries(async () => threadOf(author.client, id))
  assert.equal(await cost(many), await cost(few))
})

test('who goes on under their own words comes before the others, at every level', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const root = await post(alice, {})
  const others = await post(bob, { in_reply_to_id: root })
  const own = await post(alice, { in_reply_to_id: root })
  const answered = await post(alice, { in_reply_to_id: others })
  const bobsOwn = await post(bob, { in_reply_to_id: others })
  const further = await post(alice, { in_reply_to_id: own })
  const { body } = await bob.client.get<Context>(`/api/v1/statuses/${root}/context`)
  assertOnWire('Context', body)
  assert.deepEqual(
    body.descendants.map(({ id }) => id),
    [own, further, others, bobsOwn, answered],
  )
})

test('VI2 whom a member blocks, mutes, or does not follow while they are silenced is missing from threads, but what they answer to others stays', async () => {
  const [alice, bob, viewer] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const root = await post(alice, {})
  const first = await post(bob, { in_reply_to_id: root })
  const second = await post(alice, { in_reply_to_id: first })
  const own = await post(viewer, { in_reply_to_id: second })
  const whole = { above: [], below: [first, second, own] }
  const without = { above: [], below: [second, own] }
  const seen = async () => threadOf(viewer.client, root)
  assert.deepEqual(await seen(), whole)
  for (const deed of ['block', 'mute']) {
    await viewer.client.post(`/api/v1/accounts/${bob.accountId}/${deed}`)
    assert.deepEqual(await seen(), without, deed)
    assert.deepEqual((await threadOf(viewer.client, own)).above, [root, second], deed)
    await viewer.client.post(`/api/v1/accounts/${bob.accountId}/un${deed}`)
    assert.deepEqual(await seen(), whole, deed)
  }
  const silence = (accountId: string) =>
    world.ctx.db.updateTable('accounts').set({ silenced_at: new Date() }).where('id', '=', accountId).execute()
  await silence(bob.accountId)
  assert.deepEqual(await seen(), without)
  assert.deepEqual((await threadOf(world.anonymous, root)).below, [second, own])
  await viewer.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
  assert.deepEqual(await seen(), whole)
  await silence(viewer.accountId)
  assert.deepEqual(await seen(), whole, 'one’s own are never missing')
  await bob.client.post(`/api/v1/accounts/${viewer.accountId}/block`)
  assert.deepEqual(await seen(), without, 'who blocks the viewer is not there either')
})

test('a thread that leads back to itself ends', async () => {
  const author = await world.createPerson()
  const root = await post(author, {})
  const [first, second] = [await post(author, { in_reply_to_id: root }), await post(author, { in_reply_to_id: root })]
  await world.ctx.db.updateTable('statuses').set({ in_reply_to_id: second }).where('id', '=', root).execute()
  assert.deepEqual(await threadOf(author.client, root), { above: [second], below: [first, second] })
  assert.deepEqual(await threadOf(author.client, second), { above: [root], below: [root, first] })
  await world.ctx.db.updateTable('statuses').set({ in_reply_to_id: root }).where('id', '=', root).execute()
  assert.deepEqual(await threadOf(author.client, root), { above: [], below: [first, second] })
})

test('a status of somebody who hides from the viewer has no thread for them', async () => {
  const [alice, viewer] = [await world.createPerson(), await world.createPerson()]
  const hidden = await post(alice, { visibility: 'private' })
  const [no, none] = [
    await viewer.client.get(`/api/v1/statuses/${hidden}/context`),
    await viewer.client.get('/api/v1/statuses/4711/context'),
  ]
  assert.deepEqual([no.status, no.body], [404, none.body])
})
