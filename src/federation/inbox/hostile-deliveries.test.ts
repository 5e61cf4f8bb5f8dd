// In a process of its own: it measures the response times of a server.
// Slow: starts programs or databases of its own.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import {
  expensiveBodies,
  captureDelivery,
  gzipBomb,
  rejectedDeliveryOptions,
  REJECTED_KINDS,
} from '../../../test/federation/hostile-deliveries.ts'
import { eventually, findPort, startLinnet, urlOf } from '../../../test/servers/linnet-process.ts'
import { openPeer } from '../../../test/federation/peer/open-peer.ts'
import { sendRequest } from '../../../test/federation/peer/send-request.ts'
import type { PeerCall } from '../../../test/federation/peer/send-request.ts'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'

const PER_SECOND = 200
const SECONDS = 4
const MAX_MS = 250

const database = await cloneDatabase()
const peer = await openPeer({ hosts: ['remote.test', 'other.test'] })
const dataDir = await mkdtemp(join(tmpdir(), 'linnet-hostile-'))
const port = await findPort()
const address = `http://127.0.0.1:${port}`
const server = startLinnet(['serve'], {
  ...peer.env,
  NODE_EXTRA_CA_CERTS: peer.caFile,
  DATA_DIR: dataDir,
  DATABASE_URL: urlOf(database.connection),
  LOCAL_DOMAIN: 'birds.example',
  LOCAL_HTTPS: 'false',
  PORT: port,
})
after(async () => {
  server.kill('SIGKILL')
  await server.ended
  await peer.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})
peer.connect('http://birds.example', address)

/**
 * The code of a worker thread, which sending the attack does not delay. It posts the response times in milliseconds,
 * ascending.
 */
const POLL = `
const { parentPort, workerData } = require('node:worker_threads')
const { address, ended } = workerData
const times = []
const poll = async () => {
  while (Atomics.load(ended, 0) === 0) {
    const before = performance.now()
    const { status } = await fetch(address + '/livez')
    if (status !== 200) throw new Error('/livez responded with ' + status)
    times.push(performance.now() - before)
    Atomics.wait(ended, 0, 0, 20)
  }
  parentPort.postMessage(times.sort((one, other) => one - other))
}
void poll()`

async function pollWhile(work: () => Promise<unknown>): Promise<number[]> {
  const ended = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(POLL, { eval: true, workerData: { address, ended } })
  const times = new Promise<number[]>((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await work()
  Atomics.store(ended, 0, 1)
  return times
}

test(`/livez responds within ${MAX_MS} ms during ${PER_SECOND} hostile deliveries per second`, async (t) => {
  await eventually(async () => assert.equal((await fetch(`${address}/livez`)).status, 200))
  const bob = await peer.host('remote.test').createActor('bob')
  const mallory = await peer.host('other.test').createActor('mallory')
  assert.equal((await bob.send(bob.activity('Like', 'https://birds.example/nothing'))).status, 202)

  const activity = { ...bob.activity('Like', 'https://birds.example/nothing'), actor: `${bob.id}/x` }
  const makers = [...expensiveBodies(activity).values(), ...expensiveBodies(activity, { bytes: 128 * 1024 }).values()]
  const parsed = expensiveBodies(activity, { bytes: 128 * 1024, names: 480, values: 4_980 })
  const bodies = [...makers, ...parsed.values()].map((make) => make())
  const bomb = gzipBomb(activity)
  const calls: PeerCall[] = []
  for (let n = 0; n < PER_SECOND * SECONDS; n += 1) {
    const options = await rejectedDeliveryOptions(bob, {
      kind: REJECTED_KINDS[n % REJECTED_KINDS.length]!,
      other: mallory,
    })
    // One half comes from a single address, the other from as many as there are requests.
    const from = n % 2 === 0 ? '203.0.113.1' : `198.51.${n >> 8}.${n & 255}`
    const headers: Record<string, string> = { ...options?.headers, 'x-forwarded-for': from }
    const body = headers['content-encoding'] ? bomb : bodies[n % bodies.length]!
    calls.push(await captureDelivery(bob, body, { ...options, headers }))
  }

  const statuses = new Map<number, number>()
  const times = await pollWhile(async () => {
    const send = async (call: PeerCall) => {
      const status = await sendRequest(address, call).then(
        (reply) => reply.status,
        // The server may respond and close the connection while the body is still being sent.
        () => 0,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const sent: Promise<void>[] = []
    const startedAt = performance.now()
    await new Promise<void>((resolve) => {
      const pace = setInterval(() => {
        const due = ((performance.now() - startedAt) / 1_000) * PER_SECOND
        while (sent.length < Math.min(due, calls.length)) sent.push(send(calls[sent.length]!))
        if (sent.length < calls.length) return
        clearInterval(pace)
        resolve()
      }, 5)
    })
    await Promise.all(sent)
  })
  const late = times[Math.floor(times.length * 0.95)]!
  const figures = [times[times.length >> 1]!, late, times.at(-1)!].map((ms) => ms.toFixed(0)).join(', ')
  t.diagnostic(`/livez in ms, median, 95th percentile and longest: ${figures}; ${JSON.stringify([...statuses])}`)
  assert.ok(times.length > 10)
  assert.ok(late < MAX_MS, `/livez took ${figures} ms`)
  for (const status of statuses.keys()) assert.ok(status < 500 || status === 503, `status ${status}`)
  assert.equal((await bob.send(bob.activity('Like', 'https://birds.example/nothing'))).status, 202)
})
