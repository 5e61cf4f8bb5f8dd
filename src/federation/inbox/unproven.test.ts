// In a process of its own: it measures the processor time of its thread.
// Slow: measures many hostile deliveries.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openFediverse } from '../../../test/fediverse.ts'
import { costlyBodies, draftDelivery, gzipBomb, hostileOptions, WAYS } from '../../../test/hostile-deliveries.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { reach } from '../../../test/peer/reach.ts'
import type { PeerCall } from '../../../test/peer/reach.ts'
import { FAILED_DELIVERIES, keyFetchUses } from '../throttles.ts'
import { UNPROVEN_LIMITS } from '../wire/parse-document.ts'

/**
 * What an unauthenticated request may take of the thread that all requests share, in milliseconds: 5 on a core of its
 * own, and twice that on a machine whose cores are all loaded, where processor times double.
 */
const MAX_MS = 10

/** Windows of throttles begin at multiples of their length. */
const begin = new Date(Math.ceil(Date.now() / 300_000) * 300_000)
let now = begin
const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'], now: () => now })
const { world, peer, origin, uriOf, answerTo, countRows } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const mallory = await peer.host('other.test').createActor('mallory')
const alice = await world.createPerson({ username: 'alice' })
const address = await world.listen()
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
assert.equal(await answerTo(bob.send(like(bob), { now })), 202)

let names = 0
const stranger = () => remote.createActor(`stranger${(names += 1)}`, { keys: bob.keys })

const pass = () => void (now = new Date(now.getTime() + 300_000))
const failuresLeft = async () => (await world.ctx.limiter.peek(FAILED_DELIVERIES, '127.0.0.1', now)).remaining
async function useUpFailures(): Promise<void> {
  while ((await failuresLeft()) > 0) await world.ctx.limiter.take(FAILED_DELIVERIES, '127.0.0.1', now)
}

const draft = async (actor: PeerActor, ...[activity, options]: Parameters<PeerActor['send']>) =>
  draftDelivery(actor, activity, { now, ...options })

/** Sends only the head of a request whose body never comes. */
async function sendHead(call: PeerCall): Promise<IncomingMessage> {
  const headers = { ...call.headers, 'content-length': '1000000' }
  const request = requestHttp(address + new URL(call.url).pathname, { method: 'POST', headers, agent: false })
  request.on('error', () => {})
  request.flushHeaders()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  request.destroy()
  return response
}

test('what its headers alone refute is answered before its body is read', async () => {
  const codes: Record<string, number | undefined> = {}
  for (const way of WAYS.filter((one) => one !== 'unknown key' && one !== 'other body')) {
    const call = await draft(bob, like(bob), await hostileOptions(bob, { way, other: mallory }))
    codes[way] = (await sendHead(call)).statusCode
  }
  assert.deepEqual(codes, { unsigned: 401, 'wrong key': 401, 'content coding': 415, malformed: 400 })
})

test('beyond the throttle no body is read but of those whose stored key signed', async () => {
  pass()
  const fresh = await stranger()
  await useUpFailures()
  const { statusCode, headers } = await sendHead(await draft(fresh, like(fresh)))
  assert.deepEqual([statusCode, headers['retry-after']], [429, '300'])
  assert.equal(await answerTo(fresh.send(like(fresh), { now })), 429)
  assert.equal(await answerTo(bob.send(like(bob), { now })), 202)
  pass()
  assert.equal(await answerTo(fresh.send(like(fresh), { now })), 202)
})

test('every delivery without a valid signature counts, and no other', async () => {
  pass()
  for (const way of WAYS) {
    const before = await failuresLeft()
    const { status } = await bob.send(like(bob), { now, ...(await hostileOptions(bob, { way, other: mallory })) })
    assert.ok(status >= 400 && status < 500, `${way}: ${status}`)
    assert.equal(await failuresLeft(), before - 1, way)
  }
  const before = await failuresLeft()
  await bob.send(like(bob), { now })
  await bob.send('no JSON', { now })
  const fresh = await stranger()
  await fresh.send(like(fresh), { now })
  assert.equal(await failuresLeft(), before)
})

test('a content coding is only accepted of a known key, and decoded only if the coded bytes are signed', async () => {
  const fresh = await stranger()
  const headers = { 'content-encoding': 'gzip' }
  const packed = (actor: PeerActor) => gzipSync(JSON.stringify(like(actor)))
  assert.equal(await answerTo(fresh.send(packed(fresh), { now, headers })), 415)
  assert.equal(await answerTo(fresh.send(like(fresh), { now, headers: { 'content-encoding': 'identity' } })), 202)
  assert.equal(await answerTo(fresh.send(packed(fresh), { now, headers })), 202)
  // What is too large would be 413 if it were decoded.
  const large = gzipSync('x'.repeat(2 ** 21))
  assert.equal(await answerTo(fresh.send(large, { now, headers })), 413)
  const tamper = (call: PeerCall) => void (call.body = gzipSync('y'.repeat(2 ** 21)))
  assert.equal(await answerTo(fresh.send(large, { now, headers, tamper })), 401)
})

test('a large post of an unknown sender is accepted', async () => {
  const fresh = await stranger()
  const mentions = Array.from({ length: 600 }, (_one, n) => ({
    type: 'Mention',
    href: `https://other.test/users/${n}`,
    name: `@user${n}@other.test`,
  }))
  const note = fresh.note({
    content: `<p>${'word '.repeat(80_000)}</p>`,
    tag: [{ type: 'Mention', href: uriOf(alice) }, ...mentions],
    cc: [uriOf(alice)],
  })
  assert.equal(await answerTo(fresh.send(fresh.activity('Create', note), { now })), 202)
  await world.settle()
  assert.ok(await fediverse.findStatus(note['id']))
})

test('a document with as much as any server sends is read, and one with far more is refused', async () => {
  const tags = Array.from({ length: 10_000 }, (_one, n) => ({
    type: 'Mention',
    href: `https://b.test/${n}`,
    name: 'x',
  }))
  const note = bob.note({ tag: tags, cc: [uriOf(alice)] })
  assert.equal(await answerTo(bob.send(bob.activity('Create', note), { now })), 202)
  const costly = costlyBodies(like(bob))
  for (const kind of ['empty lists', 'empty objects', 'numbers', 'unique names', 'objects with unique names']) {
    assert.equal(await answerTo(bob.send(costly.get(kind)!(), { now })), 400, kind)
  }
})

/** Processor time of this thread for one request, in milliseconds: the least mean of several rounds. */
async function measure(prepare: () => Promise<PeerCall>): Promise<{ ms: number; status: number }> {
  let status = 0
  let ms = Infinity
  for (let round = 0; round < 4; round += 1) {
    const calls: PeerCall[] = []
    for (let n = 0; n < 12; n += 1) calls.push(await prepare())
    const before = process.threadCpuUsage()
    for (const call of calls) ({ status } = await reach(world.server, call))
    const { user, system } = process.threadCpuUsage(before)
    ms = Math.min(ms, (user + system) / 1_000 / calls.length)
  }
  return { ms, status }
}

test('an unauthenticated delivery holds up the event loop for a few milliseconds at most, whatever is in it', async (t) => {
  await world.settle()
  const before = await countRows()
  const check = async (what: string, prepare: () => Promise<PeerCall>) => {
    pass()
    // The peer that would serve the keys runs in this thread too: without its part, only the inbox is measured.
    const [network] = keyFetchUses({ uri: bob.keyId, ip: '127.0.0.1' })
    for (let n = 0; n < network!.throttle.limit; n += 1) {
      await world.ctx.limiter.take(network!.throttle, network!.key, now)
    }
    const { ms, status } = await measure(prepare)
    const figure = `${what}: ${ms.toFixed(1)} ms (${status})`
    t.diagnostic(figure)
    assert.ok(status >= 400 && status < 500, figure)
    assert.ok(ms < MAX_MS, figure)
  }
  // The largest that are parsed before anything is proven.
  const { bytes, names, values } = UNPROVEN_LIMITS
  const parsed = { bytes, names: names - 20, values: values - 20 }
  const activity = { ...like(bob), id: `${bob.id}/x`, actor: `${bob.id}/x` }
  const unknown = () => hostileOptions(bob, { way: 'unknown key', other: mallory })
  for (const kind of costlyBodies(activity).keys()) {
    await check(`${kind}, parsed`, async () => draft(bob, costlyBodies(activity, parsed).get(kind)!(), await unknown()))
  }
  // Of larger ones the key comes first.
  const large = costlyBodies(activity).get('empty lists')!()
  await check('1 MB', async () => draft(bob, large, await unknown()))
  const bomb = gzipBomb(activity)
  for (const way of WAYS) {
    await check(`${way}, a gzip bomb`, async () => draft(bob, bomb, await hostileOptions(bob, { way, other: mallory })))
  }
  assert.deepEqual(await countRows(), before)
})
