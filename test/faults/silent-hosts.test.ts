// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { recordPeerActor } from '../federation/record-peer-actor.ts'
import { createUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { openPeer } from '../federation/peer/open-peer.ts'
import type { PeerActor } from '../federation/peer/actor.ts'
import { neverRespond } from '../federation/peer/behaviour.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { createServerProcess } from './support/server-process.ts'

/** The size of the attack: so many replies to statuses on so many hosts. */
const REPLIES = 120
const HOSTS = 40

/**
 * The number of measured deliveries, one after the other in each direction. On a busy machine the first of them wait
 * until the replies are processed, which takes some seconds even without silent hosts.
 */
const DELIVERIES = 100

/** The limit for 95 of 100 deliveries. */
const MAX_LAG_MS = 2_000

const silent = Array.from({ length: HOSTS }, (_, n) => `silent${n}.test`)
const peer = await openPeer({ hosts: ['honest.test', 'attacker.test', 'other-attacker.test', ...silent] })
for (const name of silent) peer.host(name).behave(/./, neverRespond)

/** A name server that never answers. */
const nameServer = createSocket('udp4')
let dnsQueries = 0
nameServer.on('message', () => (dnsQueries += 1)).bind(0, '127.0.0.1')
await once(nameServer, 'listening')

const database = await cloneDatabase()
const rig = await createServerProcess({
  connection: database.connection,
  env: {
    ...peer.env,
    NODE_EXTRA_CA_CERTS: peer.caFile,
    LOCAL_HTTPS: 'true',
    LINNET_TEST_DNS: `127.0.0.1:${nameServer.address().port}`,
  },
})
const { app, close } = await rig.open()
after(async () => {
  nameServer.close()
  await close()
  // Closed first, so that the server does not wait for the silent hosts.
  await peer.close()
  await rig.close()
  await database.drop()
})
const { ctx } = app
peer.connect(ctx.config.origin, rig.origin)
const alice = await createUser(ctx, { username: 'alice' })
const aliceUri = `${ctx.config.origin}/ap/users/${alice.accountId}`
const carol = await peer.host('honest.test').createActor('carol')
const mallory = await peer.host('attacker.test').createActor('mallory', { keys: carol.keys })
const mallet = await peer.host('other-attacker.test').createActor('mallet', { keys: carol.keys })
await recordPeerActor(ctx, carol, { follows: alice.accountId })
await recordPeerActor(ctx, mallory)
await recordPeerActor(ctx, mallet)
await rig.start()

/** Posts as alice, and returns the milliseconds until the post has arrived at the server of her follower. */
async function measureOutbound(): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${rig.origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'hello' }),
  })
  const { uri } = (await response.json()) as { uri: string }
  await carol.inbox.next(({ object }) => object?.id === uri)
  return performance.now() - start
}

/** Sends a note to alice, and returns the milliseconds until it is recorded. */
async function measureInbound(): Promise<number> {
  const note = carol.note({ cc: [aliceUri] })
  const start = performance.now()
  assert.equal((await carol.send(carol.activity('Create', note))).status, 202)
  await eventually(async () => {
    const { rows } = await sql`select from statuses where uri = ${note['id']}`.execute(ctx.db)
    assert.equal(rows.length, 1, 'the note is recorded')
  })
  return performance.now() - start
}

async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const lags: number[] = []
  for (let n = 0; n < DELIVERIES; n += 1) lags.push(await measure())
  return lags.toSorted((a, b) => a - b)
}

async function attack(t: TestContext, { by, hosts }: { by: PeerActor; hosts: readonly string[] }): Promise<void> {
  await measureOutbound()
  await measureInbound()
  const replies = Array.from({ length: REPLIES }, (_, n) =>
    by.note({ cc: [aliceUri], inReplyTo: `https://${hosts[n % hosts.length]}/statuses/${n}` }),
  )
  const answers = await Promise.all(replies.map(async (reply) => by.send(by.activity('Create', reply))))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
  const [outbound, inbound] = await Promise.all([repeat(measureOutbound), repeat(measureInbound)])
  for (const [direction, lags] of Object.entries({ outbound, inbound })) {
    const p95 = lags[Math.floor(lags.length * 0.95)]!
    t.diagnostic(
      `${direction}: ${lags.length} deliveries, 95 of 100 within ${p95.toFixed(0)} ms, all within ${lags.at(-1)!.toFixed(0)} ms`,
    )
    assert.ok(p95 < MAX_LAG_MS, `${direction}: ${p95.toFixed(0)} ms`)
  }
  // The replies are recorded without their parents.
  await eventually(async () => {
    const { rows } = await sql`
      select from statuses where uri = any(${replies.map(({ id }) => String(id))})`.execute(ctx.db)
    assert.equal(rows.length, REPLIES)
  })
}

test('F12 replies to statuses on silent hosts do not delay deliveries of others', async (t) => {
  await attack(t, { by: mallory, hosts: silent })
  const contacted = silent.filter((name) => peer.host(name).requests.length > 0)
  assert.ok(contacted.length > 1, 'silent hosts received requests')
})

test('F12 replies to statuses on hosts whose name server does not answer do not delay deliveries of others', async (t) => {
  await attack(t, { by: mallet, hosts: Array.from({ length: HOSTS }, (_, n) => `lost${n}.example`) })
  assert.ok(dnsQueries > 1, 'the name server received queries')
})
