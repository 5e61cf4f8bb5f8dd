// In a process of its own: it measures the processor time of its thread.
// Slow: measures many hostile deliveries.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import {
  expensiveBodies,
  captureDelivery,
  gzipBomb,
  rejectedDeliveryOptions,
  REJECTED_KINDS,
} from '../../../../test/federation/hostile-deliveries.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { sendRequest } from '../../../../test/federation/peer/send-request.ts'
import type { PeerCall } from '../../../../test/federation/peer/send-request.ts'
import { FAILED_DELIVERIES, keyFetchThrottles } from '../../throttles.ts'
import { UNVERIFIED_SENDER_LIMITS } from '../../wire/parse-document.ts'

/**
 * The processor time that an unauthenticated request may take on the main thread, in milliseconds: 5 on an idle core,
 * and twice that on a machine whose cores are all loaded, where processor times double.
 */
const MAX_MS = 10

/** The windows of throttles start at multiples of their length. */
const begin = new Date(Math.ceil(Date.now() / 300_000) * 300_000)
let now = begin
const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'], now: () => now })
const { testServer, peer, origin, uriOf, waitForAnswer, countRows } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const mallory = await peer.host('other.test').createActor('mallory')
const alice = await testServer.createUser({ username: 'alice' })
const address = await testServer.listen()
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
assert.equal(await waitForAnswer(bob.send(like(bob), { now })), 202)

let names = 0
const createRemoteActor = () => remote.createActor(`account${(names += 1)}`, { keys: bob.keys })

const advanceClock = () => void (now = new Date(now.getTime() + 300_000))
const failuresLeft = async () => (await testServer.ctx.rateLimiter.peek(FAILED_DELIVERIES, '127.0.0.1', now)).remaining
async function useUpFailures(): Promise<void> {
  while ((await failuresLeft()) > 0) await testServer.ctx.rateLimiter.take(FAILED_DELIVERIES, '127.0.0.1', now)
}

const draft = async (actor: PeerActor, ...[activity, options]: Parameters<PeerActor['send']>) =>
  captureDelivery(actor, activity, { now, ...options })

/** Sends only the headers of a request whose body never follows. */
async function sendHead(call: PeerCall): Promise<IncomingMessage> {
  const headers = { ...call.headers, 'content-length': '1000000' }
  const request = requestHttp(address + new URL(call.url).pathname, { method: 'POST', headers, agent: false })
  request.on('error', () => {})
  request.flushHeaders()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  request.destroy()
  return response
}

test('a delivery with invalid headers is refused before its body is read', async () => {
  const codes: Record<string, number | undefined> = {}
  for (const way of REJECTED_KINDS.filter((one) => one !== 'unknown key' && one !== 'other body')) {
    const call = await draft(bob, like(bob), await rejectedDeliveryOptions(bob, { kind: way, other: mallory }))
    codes[way] = (await sendHead(call)).statusCode
  }
  assert.deepEqual(codes, { unsigned: 401, 'wrong key': 401, 'content coding': 415, malformed: 400 })
})

test('beyond the throttle, bodies are only read from senders whose stored key signed', async () => {
  advanceClock()
  const fresh = await createRemoteActor()
  await useUpFailures()
  const { statusCode, headers } = await sendHead(await draft(fresh, like(fresh)))
  assert.deepEqual([statusCode, headers['retry-after']], [429, '300'])
  assert.equal(await waitForAnswer(fresh.send(like(fresh), { now })), 429)
  assert.equal(await waitForAnswer(bob.send(like(bob), { now })), 202)
  advanceClock()
  assert.equal(await waitForAnswer(fresh.send(like(fresh), { now })), 202)
})

test('exactly the deliveries without a valid signature are counted', async () => {
  advanceClock()
  for (const way of REJECTED_KINDS) {
    const before = await failuresLeft()
    const { status } = await bob.send(like(bob), {
      now,
      ...(await rejectedDeliveryOptions(bob, { kind: way, other: mallory })),
    })
    assert.ok(status >= 400 && status < 500, `${way}: ${status}`)
    assert.equal(await failuresLeft(), before - 1, way)
  }
  const before = await failuresLeft()
  await bob.send(like(bob), { now })
  await bob.send('no JSON', { now })
  const fresh = await createRemoteActor()
  await fresh.send(like(fresh), { now })
  assert.equal(await failuresLeft(), before)
})

test('a content coding is only accepted from stored keys, and decoded only if the body is signed', async () => {
  const fresh = await createRemoteActor()
  const headers = { 'content-encoding': 'gzip' }
  const compressed = (actor: PeerActor) => gzipSync(JSON.stringify(like(actor)))
  assert.equal(await waitForAnswer(fresh.send(compressed(fresh), { now, headers })), 415)
  assert.equal(await waitForAnswer(fresh.send(like(fresh), { now, headers: { 'content-encoding': 'identity' } })), 202)
  assert.equal(await waitForAnswer(fresh.send(compressed(fresh), { now, headers })), 202)
  // If the body were decoded, the status would be 413.
  const large = gzipSync('x'.repeat(2 ** 21))
  assert.equal(await waitForAnswer(fresh.send(large, { now, headers })), 413)
  const tamper = (call: PeerCall) => void (call.body = gzipSync('y'.repeat(2 ** 21)))
  assert.equal(await waitForAnswer(fresh.send(large, { now, headers, tamper })), 401)
})

test('a large note of an unknown sender is accepted', async () => {
  const fresh = await createRemoteActor()
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
  assert.equal(await waitForAnswer(fresh.send(fresh.activity('Create', note), { now })), 202)
  await testServer.waitForJobs()
  assert.ok(await fediverse.findStatus(note['id']))
})

test('a document as large as servers send is accepted, and a much larger one is refused', async () => {
  const tags = Array.from({ length: 10_000 }, (_one, n) => ({
    type: 'Mention',
    href: `https://b.test/${n}`,
    name: 'x',
  }))
  const note = bob.note({ tag: tags, cc: [uriOf(alice)] })
  assert.equal(await waitForAnswer(bob.send(bob.activity('Create', note), { now })), 202)
  const costly = expensiveBodies(like(bob))
  for (const kind of ['empty lists', 'empty objects', 'numbers', 'unique names', 'objects with unique names']) {
    assert.equal(await waitForAnswer(bob.send(costly.get(kind)!(), { now })), 400, kind)
  }
})

/** Returns the processor time of this thread for one request, in milliseconds: the lowest mean of several rounds. */
async function measure(prepare: () => Promise<PeerCall>): Promise<{ ms: number; status: number }> {
  let status = 0
  let ms = Infinity
  for (let round = 0; round < 4; round += 1) {
    const calls: PeerCall[] = []
    for (let n = 0; n < 12; n += 1) calls.push(await prepare())
    const before = process.threadCpuUsage()
    for (const call of calls) ({ status } = await sendRequest(testServer.server, call))
    const { user, system } = process.threadCpuUsage(before)
    ms = Math.min(ms, (user + system) / 1_000 / calls.length)
  }
  return { ms, status }
}

test('an unauthenticated delivery blocks the event loop for a few milliseconds at most', async (t) => {
  await testServer.waitForJobs()
  const before = await countRows()
  const check = async (what: string, prepare: () => Promise<PeerCall>) => {
    advanceClock()
    // The peer that would serve the keys runs in this thread, too. Without key fetches, only the inbox is measured.
    const [network] = keyFetchThrottles({ uri: bob.keyId, ip: '127.0.0.1' })
    for (let n = 0; n < network!.throttle.limit; n += 1) {
      await testServer.ctx.rateLimiter.take(network!.throttle, network!.key, now)
    }
    const { ms, status } = await measure(prepare)
    const figure = `${what}: ${ms.toFixed(1)} ms (${status})`
    t.diagnostic(figure)
    assert.ok(status >= 400 && status < 500, figure)
    assert.ok(ms < MAX_MS, figure)
  }
  // The largest bodies that are parsed before the sender is verified.
  const { bytes, names, values } = UNVERIFIED_SENDER_LIMITS
  const parsed = { bytes, names: names - 20, values: values - 20 }
  const activity = { ...like(bob), id: `${bob.id}/x`, actor: `${bob.id}/x` }
  const unknown = () => rejectedDeliveryOptions(bob, { kind: 'unknown key', other: mallory })
  for (const kind of expensiveBodies(activity).keys()) {
    await check(`${kind}, parsed`, async () =>
      draft(bob, expensiveBodies(activity, parsed).get(kind)!(), await unknown()),
    )
  }
  // For larger bodies, the key is fetched first.
  const large = expensiveBodies(activity).get('empty lists')!()
  await check('1 MB', async () => draft(bob, large, await unknown()))
  const bomb = gzipBomb(activity)
  for (const way of REJECTED_KINDS) {
    await check(`${way}, a gzip bomb`, async () =>
      draft(bob, bomb, await rejectedDeliveryOptions(bob, { kind: way, other: mallory })),
    )
  }
  assert.deepEqual(await countRows(), before)
})
