import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { everyJob } from './every-job.ts'
import { hasten } from './hasten.ts'
import { openPeer } from './peer.ts'
import type { Peer } from './peer.ts'
import type { PeerHost } from './peer/host.ts'
import { createProgram } from './push.ts'
import type { PushProgram } from './push.ts'
import { openWorld } from './world.ts'
import type { Person, World } from './world.ts'

const HOUR_MS = 3_600_000

export interface Pushing {
  world: World
  peer: Peer
  /** The push service; `other.test` and `dead.test` are there, too. */
  host: PeerHost
  /** Puts a program of a person's there, which wants to hear of everything that tests do. */
  subscribe(person: Person, how?: { standard?: boolean; data?: object; at?: PeerHost }): Promise<PushProgram>
  /** The clock of the server. */
  now(): Date
  /** Lets time go by, and then begin whatever waits to be pushed. */
  pass(ms: number): Promise<void>
  /** Lets hours go by until nothing waits. Gives how many. */
  passAll(onHour?: () => void): Promise<number>
  countWaiting(): Promise<number>
  /** The clock shows the time again. */
  startOver(): void
  close(): Promise<void>
}

export const EVERYTHING = { mention: true, favourite: true, reblog: true, follow: true }
export const SUBSCRIPTION = '/api/v1/push/subscription'

/** A server and a fake push service, between which time goes by as a test says. */
export async function openPushing(): Promise<Pushing> {
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const peer = await openPeer({ hosts: ['push.test', 'other.test', 'dead.test'] })
  const world = await openWorld({ env: peer.env, extraCa: peer.ca, now })
  const { ctx } = world
  const host = peer.host('push.test')

  async function pass(ms: number): Promise<void> {
    aheadMs += ms
    await hasten(ctx, 'sendPush')
    await world.settle()
  }

  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${everyJob} j where j.name = 'sendPush'`.execute(ctx.db)
    return rows[0]!.count
  }

  return {
    world,
    peer,
    host,
    async subscribe(person, { standard = true, data = { alerts: EVERYTHING }, at = host } = {}) {
      const program = createProgram(at)
      const { status } = await person.client.post(SUBSCRIPTION, program.subscription({ standard, data }))
      assert.equal(status, 200)
      return program
    },
    now,
    pass,
    async passAll(onHour = () => {}) {
      let hours = 0
      for (; (await countWaiting()) > 0; hours += 1) {
        assert.ok(hours < 100)
        await pass(HOUR_MS)
        onHour()
      }
      return hours
    },
    countWaiting,
    startOver: () => void (aheadMs = 0),
    async close() {
      await world.close()
      await peer.close()
    },
  }
}
