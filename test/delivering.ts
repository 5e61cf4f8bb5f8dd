import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { deliverToHost } from '../src/federation/courier.ts'
import { writeLike } from '../src/federation/objects/write-activities.ts'
import { sendActivity } from '../src/federation/outbox/send.ts'
import type { Database } from './tables.ts'
import { everyJob } from './every-job.ts'
import { acquaint } from './acquaint.ts'
import { forgetJobs } from './jobs.ts'
import { openPeer } from './peer.ts'
import type { Behaviour } from './peer/behaviour.ts'
import type { PeerHost } from './peer/host.ts'
import { openWorld } from './world.ts'
import type { BuilderCtx } from './query-builder.ts'

interface WriteOptions {
  evenIfUnavailable?: boolean
}

/**
 * A server of ours that delivers to one host, `one.test`, only when it is told to, by a clock that can be moved.
 * `two.test` is there as well, and never meant.
 */
export interface Delivering {
  ctx: BuilderCtx
  one: PeerHost
  two: PeerHost
  /** Moves the program's clock. Signatures are judged by the real one: half a day off, they are not good any more. */
  moveClock(ms: number): void
  now(): Date
  /** Writes down so many activities for somebody there, oldest first. Returns their ids. */
  write(count?: number, options?: WriteOptions): Promise<string[]>
  /** Delivers once, as this process or as another one. */
  deliver(using?: BuilderCtx): Promise<void>
  /** Moves the clock to when the host is due, and delivers. */
  deliverWhenDue(): Promise<void>
  /** A context as of another process on the same database. */
  anotherProcess(): BuilderCtx
  /** What the inboxes of the host do from now on. */
  behave(behaviour: Behaviour, options?: { times?: number }): void
  /** How many requests the host has had. */
  requests(): number
  /** The ids of what it took, in order. */
  taken(): string[]
  readDeliveries(): Promise<Selectable<Database['deliveries']>[]>
  countWaiting(): Promise<number>
  readHost(): Promise<Selectable<Database['hosts']>>
  /** How many milliseconds from now the host is thought of again; null: not at all. */
  readReminder(): Promise<number | null>
  /** The keys of all reminders. */
  readReminders(): Promise<string[]>
  /** As nothing had been written, tried or learnt yet. */
  startOver(): Promise<void>
  close(): Promise<void>
}

export async function openDelivering(): Promise<Delivering> {
  const peer = await openPeer({ hosts: ['one.test', 'two.test'] })
  let ahead = 0
  let requestsBefore = 0
  let made = 0
  const now = () => new Date(Date.now() + ahead)
  const world = await openWorld({ env: { ...peer.env, DB_POOL: '10' }, extraCa: peer.ca, effects: false, now })
  const { ctx } = world
  peer.connect(ctx.config.origin, world.server)
  const alice = await world.createPerson({ username: 'alice' })
  const one = peer.host('one.test')
  const bob = await one.createActor('bob')
  const bobId = await acquaint(ctx, bob)

  const delivering: Delivering = {
    ctx,
    one,
    two: peer.host('two.test'),
    now,
    moveClock: (ms) => void (ahead += ms),
    async write(count = 1, options = {}) {
      const actor = `${ctx.config.origin}/ap/users/${alice.accountId}`
      const uris: string[] = []
      for (let n = 0; n < count; n += 1) {
        made += 1
        const activity = writeLike({ actor, object: bob.id, id: String(made) })
        const to = { accountIds: [bobId] }
        await ctx.write((tx) => sendActivity(tx, { ...options, activity, accountId: alice.accountId, to }))
        uris.push(activity.uri)
      }
      return uris
    },
    deliver: (using = ctx) => deliverToHost(using, { domain: 'one.test' }),
    async deliverWhenDue() {
      ahead += (await delivering.readReminder())! + 1
      await forgetReminders()
      await delivering.deliver()
    },
    anotherProcess: () => ({ ...ctx, db: { ...ctx.db } }),
    behave: (behaviour, options) => one.behave(/inbox$/, behaviour, options),
    requests: () => one.requests.length - requestsBefore,
    taken: () => one.inbox.received.map(({ activity }) => String(activity['id'])),
    readDeliveries: () => ctx.db.selectFrom('deliveries').selectAll().orderBy('id').execute(),
    async countWaiting() {
      return (await delivering.readDeliveries()).filter(({ state }) => state === 'waiting').length
    },
    readHost: () => ctx.db.selectFrom('hosts').selectAll().where('domain', '=', 'one.test').executeTakeFirstOrThrow(),
    async readReminder() {
      const { rows } = await sql<{ run_at: Date }>`
        select run_at from ${everyJob} j where key = 'host:one.test later'`.execute(ctx.db)
      // The queue goes by the real clock.
      return rows[0] ? rows[0].run_at.getTime() - Date.now() : null
    },
    async readReminders() {
      const { rows } = await sql<{ key: string }>`
        select key from ${everyJob} j order by key`.execute(ctx.db)
      return rows.map((row) => row.key)
    },
    async startOver() {
      ahead = 0
      requestsBefore = one.requests.length
      one.recover()
      one.understands = 'both'
      one.inbox.clear()
      await sql`delete from sent_activities`.execute(ctx.db)
      await sql`delete from hosts`.execute(ctx.db)
      await forgetReminders()
    },
    async close() {
      await world.close()
      await peer.close()
    },
  }
  return delivering

  async function forgetReminders(): Promise<void> {
    await forgetJobs(ctx)
  }
}
