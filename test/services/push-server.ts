import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { makeJobsDue } from '../jobs/make-jobs-due.ts'
import { openPeer } from '../federation/peer/open-peer.ts'
import type { Peer } from '../federation/peer/open-peer.ts'
import type { PeerHost } from '../federation/peer/host.ts'
import { createPushClient } from './push-client.ts'
import type { PushClient } from './push-client.ts'
import { openTestServer } from '../servers/test-server.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'

const HOUR_MS = 3_600_000

export interface PushServer {
  testServer: TestServer
  peer: Peer
  /** The push service. The hosts `other.test` and `dead.test` exist, too. */
  host: PeerHost
  /** Creates a push client and subscribes it as a user, by default with all alerts. */
  subscribe(user: TestUser, how?: { standard?: boolean; data?: object; at?: PeerHost }): Promise<PushClient>
  /** Returns the time of the server's clock. */
  now(): Date
  /** Moves the clock, and runs the push jobs. */
  advanceClock(ms: number): Promise<void>
  /** Moves the clock hour by hour until no push job waits. Returns the number of hours. */
  advanceHours(onHour?: () => void): Promise<number>
  countWaiting(): Promise<number>
  /** Resets the clock to the real time. */
  reset(): void
  close(): Promise<void>
}

export const ALL_ALERTS = { mention: true, favourite: true, reblog: true, follow: true }
export const SUBSCRIPTION = '/api/v1/push/subscription'

/** Opens a server with a movable clock, and a fake push service. */
export async function openPushServer(): Promise<PushServer> {
  let clockOffsetMs = 0
  const now = () => new Date(Date.now() + clockOffsetMs)
  const peer = await openPeer({ hosts: ['push.test', 'other.test', 'dead.test'] })
  const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca, now })
  const { ctx } = testServer
  const host = peer.host('push.test')

  async function advanceClock(ms: number): Promise<void> {
    clockOffsetMs += ms
    await makeJobsDue(ctx, 'sendPush')
    await testServer.waitForJobs()
  }

  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from jobs j where j.name = 'sendPush'`.execute(ctx.db)
    return rows[0]!.count
  }

  return {
    testServer,
    peer,
    host,
    async subscribe(user, { standard = true, data = { alerts: ALL_ALERTS }, at = host } = {}) {
      const pushClient = createPushClient(at)
      const { status } = await user.client.post(SUBSCRIPTION, pushClient.subscription({ standard, data }))
      assert.equal(status, 200)
      return pushClient
    },
    now,
    advanceClock,
    async advanceHours(onHour = () => {}) {
      let hours = 0
      for (; (await countWaiting()) > 0; hours += 1) {
        assert.ok(hours < 100)
        await advanceClock(HOUR_MS)
        onHour()
      }
      return hours
    },
    countWaiting,
    reset: () => void (clockOffsetMs = 0),
    async close() {
      await testServer.close()
      await peer.close()
    },
  }
}
