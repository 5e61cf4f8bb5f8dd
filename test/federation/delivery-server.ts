import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { deliverToHost } from '../../src/federation/delivery/deliver-to-host.ts'
import { writeLike } from '../../src/federation/objects/write/write-activities.ts'
import { sendActivity } from '../../src/federation/outbox/send-activity.ts'
import type { Database } from '../tables.ts'
import { recordPeerActor } from './record-peer-actor.ts'
import { deleteJobs } from '../jobs/delete-jobs.ts'
import { openPeer } from './peer/open-peer.ts'
import type { Behaviour } from './peer/behaviour.ts'
import type { PeerHost } from './peer/host.ts'
import { openTestServer } from '../servers/test-server.ts'
import type { BuilderCtx } from '../query-builder.ts'

interface WriteOptions {
  evenIfUnavailable?: boolean
}

/**
 * A server that delivers to one host, `one.test`, only when a test calls `deliver`, with a clock that tests can move.
 * `two.test` is another host, which receives nothing.
 */
export interface DeliveryServer {
  ctx: BuilderCtx
  one: PeerHost
  two: PeerHost
  /** Moves the program's clock. The peer verifies signatures by the real clock, with a tolerance of half a day. */
  moveClock(ms: number): void
  now(): Date
  /** Creates activities for an actor on the host. Returns their ids, oldest first. */
  write(count?: number, options?: WriteOptions): Promise<string[]>
  /** Runs one delivery job, as this process or as another one. */
  deliver(using?: BuilderCtx): Promise<void>
  /** Moves the clock to the time at which the host is due, and delivers. */
  deliverWhenDue(): Promise<void>
  /** Returns a context like that of another process on the same database. */
  otherProcess(): BuilderCtx
  /** Sets the behaviour of the host's inboxes. */
  behave(behaviour: Behaviour, options?: { times?: number }): void
  /** Returns the number of requests that the host has received. */
  requests(): number
  /** Returns the ids of the activities that the host has accepted, in order. */
  acceptedActivities(): string[]
  readDeliveries(): Promise<Selectable<Database['deliveries']>[]>
  countWaiting(): Promise<number>
  readHost(): Promise<Selectable<Database['hosts']>>
  /** Returns the milliseconds until the delayed job of the host runs; null if there is none. */
  readDeliveryJob(): Promise<number | null>
  /** Returns the keys of all jobs. */
  readDeliveryJobs(): Promise<string[]>
  /** Deletes all activities, deliveries, hosts and jobs, and resets the clock. */
  reset(): Promise<void>
  close(): Promise<void>
}

export async function openDeliveryServer(): Promise<DeliveryServer> {
  const peer = await openPeer({ hosts: ['one.test', 'two.test'] })
  let clockOffset = 0
  let requestsBefore = 0
  let activityCount = 0
  const now = () => new Date(Date.now() + clockOffset)
  const testServer = await openTestServer({
    env: { ...peer.env, DB_POOL: '10' },
    extraCa: peer.ca,
    effects: false,
    now,
  })
  const { ctx } = testServer
  peer.connect(ctx.config.origin, testServer.server)
  const alice = await testServer.createUser({ username: 'alice' })
  const one = peer.host('one.test')
  const bob = await one.createActor('bob')
  const bobId = await recordPeerActor(ctx, bob)

  const deliveryServer: DeliveryServer = {
    ctx,
    one,
    two: peer.host('two.test'),
    now,
    moveClock: (ms) => void (clockOffset += ms),
    async write(count = 1, options = {}) {
      const actor = `${ctx.config.origin}/ap/users/${alice.accountId}`
      const uris: string[] = []
      for (let n = 0; n < count; n += 1) {
        activityCount += 1
        const activity = writeLike({ actor, object: bob.id, id: String(activityCount) })
        const to = { accountIds: [bobId] }
        await ctx.write((tx) => sendActivity(tx, { ...options, activity, accountId: alice.accountId, to }))
        uris.push(activity.uri)
      }
      return uris
    },
    deliver: (using = ctx) => deliverToHost(using, { domain: 'one.test' }),
    async deliverWhenDue() {
      clockOffset += (await deliveryServer.readDeliveryJob())! + 1
      await deleteDeliveryJobs()
      await deliveryServer.deliver()
    },
    otherProcess: () => ({ ...ctx, db: { ...ctx.db } }),
    behave: (behaviour, options) => one.behave(/inbox$/, behaviour, options),
    requests: () => one.requests.length - requestsBefore,
    acceptedActivities: () => one.inbox.received.map(({ activity }) => String(activity['id'])),
    readDeliveries: () => ctx.db.selectFrom('deliveries').selectAll().orderBy('id').execute(),
    async countWaiting() {
      return (await deliveryServer.readDeliveries()).filter(({ state }) => state === 'pending').length
    },
    readHost: () => ctx.db.selectFrom('hosts').selectAll().where('domain', '=', 'one.test').executeTakeFirstOrThrow(),
    async readDeliveryJob() {
      const { rows } = await sql<{ run_at: Date }>`
        select run_at from jobs j where key = 'delivery:one.test delayed'`.execute(ctx.db)
      // The job queue uses the real clock.
      return rows[0] ? rows[0].run_at.getTime() - Date.now() : null
    },
    async readDeliveryJobs() {
      const { rows } = await sql<{ key: string }>`
        select key from jobs j order by key`.execute(ctx.db)
      return rows.map((row) => row.key)
    },
    async reset() {
      clockOffset = 0
      requestsBefore = one.requests.length
      one.recover()
      one.acceptedSpecs = 'both'
      one.inbox.clear()
      await sql`delete from sent_activities`.execute(ctx.db)
      await sql`delete from hosts`.execute(ctx.db)
      await deleteDeliveryJobs()
    },
    async close() {
      await testServer.close()
      await peer.close()
    },
  }
  return deliveryServer

  async function deleteDeliveryJobs(): Promise<void> {
    await deleteJobs(ctx)
  }
}
