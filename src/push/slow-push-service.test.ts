import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { Behaviour } from '../../test/federation/peer/behaviour.ts'
import { openPeer } from '../../test/federation/peer/open-peer.ts'
import { eventually } from '../../test/servers/linnet-process.ts'
import { makeJobsDue } from '../../test/jobs/make-jobs-due.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { createPushClient } from '../../test/services/push-client.ts'

const WORKER_SLOTS = 8

const peer = await openPeer({ hosts: ['slow.test'] })
const host = peer.host('slow.test')
const testServer = await openTestServer({
  env: { ...peer.env, NETWORK_CONCURRENCY: String(WORKER_SLOTS) },
  extraCa: peer.ca,
})
const { ctx } = testServer
after(async () => {
  await testServer.close()
  await peer.close()
})

const countJobs = async (name: string): Promise<number> =>
  (await sql`select from jobs where name = ${name}`.execute(ctx.db)).rows.length

test('F11: pushes to a push service that does not respond leave worker slots for deliveries, and wait for it', async () => {
  const alice = await testServer.createUser()
  const users = await Promise.all(Array.from({ length: WORKER_SLOTS * 2 }, () => testServer.createUser()))
  const recovered = Promise.withResolvers<void>()
  const accepted: string[] = []
  const respondLater: Behaviour = async ({ request, response }) => {
    await recovered.promise
    if (response.destroyed) return
    accepted.push(request.path)
    response.writeHead(201).end()
  }
  const clients = []
  for (const user of users) {
    const client = createPushClient(host)
    const data = { alerts: { mention: true } }
    assert.equal((await user.client.post('/api/v1/push/subscription', client.subscription({ data }))).status, 200)
    host.behave(client.path, respondLater)
    clients.push(client)
  }
  await alice.client.post('/api/v1/statuses', { status: users.map(({ username }) => `@${username}`).join(' ') })
  await eventually(async () => assert.ok(host.requests.length > 0))
  const startedAt = performance.now()
  await ctx.write(async (tx) => tx.emit('deliveries.due', { domain: 'remote.test' }))
  await eventually(async () => assert.equal(await countJobs('deliverToHost'), 0))
  const waitedMs = performance.now() - startedAt
  assert.ok(waitedMs < 5_000, `${waitedMs} ms`)
  recovered.resolve()
  await eventually(async () => {
    await makeJobsDue(ctx, 'sendPush')
    assert.equal(await countJobs('sendPush'), 0)
  })
  assert.deepEqual(accepted.toSorted(), clients.map(({ path }) => path).toSorted())
})
