import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Status } from '../src/entities/status.ts'
import { openPeer } from './peer.ts'
import type { Peer } from './peer.ts'
import type { PeerActor } from './peer/actor.ts'
import type { Activity } from './peer/inbox.ts'
import { openWorld } from './world.ts'
import type { Person, World, WorldOptions } from './world.ts'

type Send = PeerActor['send']

/** A row of `statuses`, as far as tests look at it. */
interface StatusRow {
  id: string
  account_id: string
  url: string
  visibility: string
  created_at: Date
}

/** A server of ours and others around it. */
export interface Fediverse {
  world: World
  peer: Peer
  /** `https://linnet.test` */
  origin: string
  /** The address under which others know somebody of here. */
  uriOf(person: { accountId: string }): string
  /** How many rows there are of whatever an activity could make, by table. */
  countRows(): Promise<Record<string, number>>
  /** The answer to a delivery, which is checked for its form: nothing for 202, an error for everything else. */
  answerTo(sent: ReturnType<Send>): Promise<number>
  /** Sends one after the other, each taken, and waits until what follows from it is done. */
  deliver(actor: PeerActor, ...activities: Activity[]): Promise<void>
  /** Sends, and finds that nothing came of it but the answer, which it gives. */
  refuse(actor: PeerActor, activity: Parameters<Send>[0], options?: Parameters<Send>[1]): Promise<number>
  /** Makes somebody here follow somebody elsewhere, who agrees. Returns the id of their account here. */
  befriend(person: Person, actor: PeerActor): Promise<string>
  /** What is recorded of a status; undefined: nothing. */
  findStatus(uri: unknown): Promise<StatusRow | undefined>
  getStatus(uri: unknown): Promise<StatusRow>
  /** A status by its address, as somebody here sees it. */
  show(person: Person, uri: unknown): Promise<Status & { content: string }>
  /** The types of somebody's notifications, newest first. */
  notified(person: Person): Promise<string[]>
  close(): Promise<void>
}

const TABLES = [
  'accounts',
  'statuses',
  'status_edits',
  'mentions',
  'media_attachments',
  'follows',
  'follow_requests',
  'favourites',
  'blocks',
  'notifications',
  'received_activities',
  'tombstones',
  'sent_activities',
] as const

export async function openFediverse({
  hosts,
  ...options
}: WorldOptions & { hosts: readonly string[] }): Promise<Fediverse> {
  const peer = await openPeer({ hosts })
  const world = await openWorld({ ...options, env: { ...peer.env, ...options.env }, extraCa: peer.ca })
  const { origin } = world.ctx.config
  peer.connect(origin, world.server)
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as "${table}"`).join(', ')

  async function countRows(): Promise<Record<string, number>> {
    const { rows } = await sql.raw<Record<string, number>>(`select ${counts}`).execute(world.ctx.db)
    return rows[0]!
  }

  async function answerTo(sent: ReturnType<Send>): Promise<number> {
    const { status, body, json } = await sent
    if (status === 202) assert.equal(body, '')
    else assert.deepEqual([Object.keys(json as object), typeof json.error], [['error'], 'string'])
    return status
  }

  async function deliver(actor: PeerActor, ...activities: Activity[]): Promise<void> {
    for (const activity of activities) {
      assert.equal(await answerTo(actor.send(activity)), 202)
      await world.settle()
    }
  }

  async function findStatus(uri: unknown): Promise<StatusRow | undefined> {
    const { rows } = await sql<StatusRow>`select * from statuses where uri = ${uri}`.execute(world.ctx.db)
    return rows[0]
  }

  async function getStatus(uri: unknown): Promise<StatusRow> {
    const row = await findStatus(uri)
    assert.ok(row, `${String(uri)} was not recorded`)
    return row
  }

  return {
    world,
    peer,
    origin,
    uriOf: ({ accountId }) => `${origin}/ap/users/${accountId}`,
    countRows,
    answerTo,
    deliver,
    async refuse(actor, activity, options) {
      await world.settle()
      const before = await countRows()
      const status = await answerTo(actor.send(activity, options))
      await world.settle()
      assert.deepEqual(await countRows(), before)
      return status
    },
    async befriend(person, actor) {
      const { body } = await person.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
      const [{ id }] = body
      await person.client.post(`/api/v1/accounts/${id}/follow`)
      const { activity } = await actor.inbox.next(({ type, object }) => type === 'Follow' && object === actor.id)
      await deliver(actor, actor.activity('Accept', activity))
      return id
    },
    findStatus,
    getStatus,
    async show(person, uri) {
      const { id } = await getStatus(uri)
      return (await person.client.get(`/api/v1/statuses/${id}`)).body
    },
    async notified(person) {
      await world.settle()
      return (await person.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
    },
    async close() {
      await world.close()
      await peer.close()
    },
  }
}
