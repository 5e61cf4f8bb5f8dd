import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { AdminWebhook, AdminWebhookDelivery } from '../../src/entities/admin/operations/admin-webhook.ts'
import { makeJobsDue } from '../jobs/make-jobs-due.ts'
import { openPeer } from '../federation/peer/open-peer.ts'
import { respondWith } from '../federation/peer/behaviour.ts'
import type { PeerRequest } from '../federation/peer/behaviour.ts'
import type { PeerHost } from '../federation/peer/host.ts'
import { assertEntity } from '../http/entities/entity-schemas.ts'
import { openTestServer } from '../servers/test-server.ts'
import type { TestServer, TestUser } from '../servers/test-server.ts'

const PATH = '/api/v1/admin/webhooks'

/** An event that a webhook received, after its signatures were verified. */
interface ReceivedEvent {
  /** The id of the delivery. */
  id: string
  event: string
  created_at: string
  // oxlint-disable-next-line no-explicit-any -- one of several entities
  object: any
}

export interface WebhookServer {
  testServer: TestServer
  /** The host of the receiver. The host `other.test` exists, too. */
  host: PeerHost
  otherHost: PeerHost
  /** A user with the role of the owner. */
  staff: TestUser
  /** Creates a webhook at a path of the host. */
  create(path: string, events: string[], by?: TestUser): Promise<AdminWebhook & { secret: string }>
  /** Returns the events that arrived at a path, after verifying their signatures. */
  received(path: string, secret: string): ReceivedEvent[]
  deliveriesOf(webhookId: string): Promise<AdminWebhookDelivery[]>
  /** Moves the clock, and runs the deliveries. */
  advanceClock(ms: number): Promise<void>
  close(): Promise<void>
}

/** Opens a server with a movable clock, and a receiver of webhooks that accepts every event. */
export async function openWebhookServer(): Promise<WebhookServer> {
  let clockOffsetMs = 0
  const peer = await openPeer({ hosts: ['hooks.test', 'other.test'] })
  const now = () => new Date(Date.now() + clockOffsetMs)
  const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca, now })
  const host = peer.host('hooks.test')
  const staff = await testServer.createUser({ role: 'owner', scopes: 'read write admin:read admin:write' })
  return {
    testServer,
    host,
    otherHost: peer.host('other.test'),
    staff,
    async create(path, events, by = staff) {
      host.behave(path, respondWith(202))
      const { status, body } = await by.client.post<AdminWebhook>(PATH, { url: `https://hooks.test${path}`, events })
      assert.equal(status, 200, JSON.stringify(body))
      assertEntity('AdminWebhook', body)
      return { ...body, secret: body.secret! }
    },
    received: (path, secret) =>
      host.requests.filter((request) => request.path === path).map((request) => verify(request, secret)),
    async deliveriesOf(webhookId) {
      const { status, body } = await staff.client.get<AdminWebhookDelivery[]>(`${PATH}/${webhookId}/deliveries`)
      assert.equal(status, 200)
      for (const delivery of body) assertEntity('AdminWebhookDelivery', delivery)
      return body
    },
    async advanceClock(ms) {
      clockOffsetMs += ms
      await makeJobsDue(testServer.ctx, 'deliverWebhook')
      await testServer.waitForJobs()
    },
    async close() {
      await testServer.close()
      await peer.close()
    },
  }
}

/** Verifies both signatures of a request as a receiver would. */
function verify({ method, headers, body }: PeerRequest, secret: string): ReceivedEvent {
  assert.deepEqual([method, headers['content-type']], ['POST', 'application/json'])
  assert.equal(headers['x-hub-signature'], `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  assert.equal(key.length, 32)
  const signed = createHmac('sha256', key).update(`${id}.${timestamp}.${body.toString()}`).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signed}`)
  return { id, ...(JSON.parse(body.toString()) as Omit<ReceivedEvent, 'id'>) }
}
