// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { writeLike } from '../../src/federation/objects/write/write-activities.ts'
import { sendActivity } from '../../src/federation/outbox/send-activity.ts'
import { recordPeerActor } from '../federation/record-peer-actor.ts'
import { createUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { openPeer } from '../federation/peer/open-peer.ts'
import { respondWith, neverRespond, resetConnection, trickleResponse } from '../federation/peer/behaviour.ts'
import type { Behaviour } from '../federation/peer/behaviour.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { openTestServer } from '../servers/test-server.ts'
import { createServerProcess } from './support/server-process.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

/** Deliveries to a host must continue this long after the process that delivered to it was killed. */
const TAKEOVER_LIMIT_MS = 5_000

async function killAfterAnswers(t: TestContext): Promise<void> {
  const peer = await openPeer({ hosts: ['remote.test'] })
  const database = await cloneDatabase()
  const rig = await createServerProcess({
    connection: database.connection,
    env: { ...peer.env, NODE_EXTRA_CA_CERTS: peer.caFile, LOCAL_HTTPS: 'true' },
  })
  t.after(async () => {
    await rig.close()
    await database.drop()
    await peer.close()
  })
  const { app, close } = await rig.open()
  t.after(close)
  const { ctx } = app
  peer.connect(ctx.config.origin, rig.origin)
  const remote = peer.host('remote.test')
  const bob = await remote.createActor('bob')
  const alice = await createUser(ctx, { username: 'alice' })
  const bobId = await recordPeerActor(ctx, bob)
  const uris: string[] = []
  for (let n = 0; n < 12; n += 1) {
    const actor = `${ctx.config.origin}/ap/users/${alice.accountId}`
    const activity = writeLike({ actor, object: bob.id, id: String(n) })
    await ctx.write((tx) => sendActivity(tx, { activity, accountId: alice.accountId, to: { accountIds: [bobId] } }))
    uris.push(activity.uri)
  }

  // The host accepts six deliveries and never answers the next ones. The server is killed before it records the
  // results.
  remote.behave(/inbox$/, neverRespond)
  remote.behave(/inbox$/, async ({ respond }) => respond(), { times: 6 })
  await rig.start()
  await eventually(async () => assert.equal(remote.countRequests(/inbox$/, 'POST'), 8))
  await rig.kill()
  const beforeKill = remote.inbox.received.map(({ activity }) => String(activity['id']))
  assert.equal(new Set(beforeKill).size, 6)

  remote.recover()
  remote.inbox.clear()
  await rig.start()
  const start = performance.now()
  await eventually(async () => {
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*)::int as count from deliveries group by state`.execute(ctx.db)
    assert.deepEqual(rows, [{ state: 'delivered', count: uris.length }])
  })
  const waited = performance.now() - start
  t.diagnostic(`all delivered ${(waited / 1000).toFixed(1)} s after the restart`)
  assert.ok(waited < TAKEOVER_LIMIT_MS, `${waited.toFixed(0)} ms`)
  const afterRestart = remote.inbox.received.map(({ activity }) => String(activity['id']))
  assert.deepEqual(afterRestart.toSorted(), uris.toSorted(), 'each activity is delivered again with the same id')
  await eventually(async () => {
    const { rows } = await sql`select from jobs j where attempts >= max_attempts`.execute(ctx.db)
    assert.equal(rows.length, 0, 'no job has used all its attempts')
  })
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(
    `F4 a server that is killed after its peer accepted deliveries repeats them with the same ids (${round})`,
    killAfterAnswers,
  )
}

const GOOD_HOSTS = 180
/** Delays are measured in so many rounds, each with faulty hosts of its own, because other processes cause delays, too. */
const MAX_ROUNDS = 3

function faultyHosts(round: number): Record<string, Behaviour> {
  const hosts = (name: string, count: number, behaviour: Behaviour) =>
    Array.from({ length: count }, (_, n) => [`${name}${n}-of-round${round}.test`, behaviour] as const)
  return Object.fromEntries([
    ...hosts('hangs', 10, neverRespond),
    ...hosts('fails', 4, respondWith(500)),
    ...hosts('breaks', 3, resetConnection),
    ...hosts('drips', 3, trickleResponse(1_000)),
  ])
}

test('F12 F14 twenty of two hundred hosts that hang, fail, reset or trickle do not delay deliveries to the others', async (t) => {
  const good = Array.from({ length: GOOD_HOSTS }, (_, n) => `good${n}.test`)
  const rounds = Array.from({ length: MAX_ROUNDS }, (_, n) => faultyHosts(n + 1))
  const peer = await openPeer({ hosts: [...good, ...rounds.flatMap((faulty) => Object.keys(faulty))] })
  const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca })
  t.after(async () => {
    // Closed first, so that the server does not wait for the hosts that hang.
    await peer.close()
    await testServer.close()
  })
  const { ctx } = testServer
  peer.connect(ctx.config.origin, testServer.server)
  const alice = await testServer.createUser({ username: 'alice' })
  const keys = (await peer.host(good[0]!).createActor('first')).keys
  const follow = async (names: readonly string[]) => {
    for (const name of names) {
      await recordPeerActor(ctx, await peer.host(name).createActor('fan', { keys }), { follows: alice.accountId })
    }
  }
  let posts = 0
  let arrived = new Map<string, number>()
  for (const name of good) {
    // Does not verify signatures, which would take longer than the measured time.
    peer.host(name).behave(/inbox$/, ({ response }) => {
      arrived.set(name, performance.now())
      response.writeHead(202).end()
    })
  }
  /** Posts a status and waits until every good host has it. Returns their delays in milliseconds, in rising order. */
  const measure = async (): Promise<number[]> => {
    posts += 1
    arrived = new Map()
    const start = performance.now()
    await alice.client.post('/api/v1/statuses', { status: 'hello everybody' })
    await eventually(async () => assert.equal(arrived.size, good.length))
    return [...arrived.values()].map((time) => time - start).toSorted((a, b) => a - b)
  }
  const p95 = (times: readonly number[]): number => times[Math.floor(times.length * 0.95)]!

  await follow(good)
  await measure()
  const postsBefore = new Map<string, number>()
  let [usual, disturbed] = [0, Infinity]
  for (const faulty of rounds) {
    if (disturbed < 2 * usual + 500) break
    usual = p95(await measure())
    for (const [name, behaviour] of Object.entries(faulty)) peer.host(name).behave(/inbox$/, behaviour)
    await follow(Object.keys(faulty))
    for (const name of Object.keys(faulty)) postsBefore.set(name, posts)
    disturbed = p95(await measure())
    t.diagnostic(
      `95 of 100 hosts have a post after ${usual.toFixed(0)} ms, beside faulty ones after ${disturbed.toFixed(0)} ms`,
    )
  }
  assert.ok(disturbed < 2 * usual + 500, `${disturbed} ms instead of ${usual} ms`)

  const answers: number[] = []
  for (let n = 0; n < 40; n += 1) {
    const start = performance.now()
    await alice.client.get('/api/v1/timelines/home')
    answers.push(performance.now() - start)
  }
  assert.ok(p95(answers.toSorted((a, b) => a - b)) < 300)
  await eventually(async () => {
    const again = p95(await measure())
    assert.ok(again < 2 * usual + 500, `${again} ms instead of ${usual} ms`)
  })
  for (const [name, before] of postsBefore) {
    const tries = peer.host(name).countRequests(/inbox$/, 'POST')
    assert.ok(tries > 0 && tries <= posts - before + 1, `${tries} requests to ${name}`)
  }
})
