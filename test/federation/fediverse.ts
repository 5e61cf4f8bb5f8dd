import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Status } from '../../src/entities/statuses/status.ts'
import { openPeer } from './peer/open-peer.ts'
import type { Peer } from './peer/open-peer.ts'
import type { PeerActor } from './peer/actor.ts'
import type { Activity } from './peer/inbox.ts'
import { openTestServer } from '../servers/test-server.ts'
import type { TestUser, TestServer, TestServerOptions } from '../servers/test-server.ts'

type Send = PeerActor['send']

/** The columns of `statuses` that tests read. */
interface StatusRow {
  id: string
  account_id: string
  url: string
  visibility: string
  created_at: Date
}

/** A local test server and fake remote servers. */
export interface Fediverse {
  testServer: TestServer
  peer: Peer
  /** `https://linnet.test` */
  origin: string
  /** Returns the actor URI of a local user. */
  uriOf(user: { accountId: string }): string
  /** Returns the number of rows by table, for each table that an activity can write. */
  countRows(): Promise<Record<string, number>>
  /** Returns the status code of a delivery and checks its body: empty for 202, otherwise an error. */
  waitForAnswer(sent: ReturnType<Send>): Promise<number>
  /** Sends activities one after the other, checks that each is accepted, and waits for its effects. */
  deliver(actor: PeerActor, ...activities: Activity[]): Promise<void>
  /** Sends an activity, checks that it changed no row, and returns the status code. */
  expectRejected(actor: PeerActor, activity: Parameters<Send>[0], options?: Parameters<Send>[1]): Promise<number>
  /** Makes a local user follow a remote actor, who accepts. Returns the local id of the remote account. */
  followEachOther(user: TestUser, actor: PeerActor): Promise<string>
  /** Returns the row of a status, or undefined if it is not recorded. */
  findStatus(uri: unknown): Promise<StatusRow | undefined>
  getStatus(uri: unknown): Promise<StatusRow>
  /** Reads a status by its URI, as a local user. */
  show(user: TestUser, uri: unknown): Promise<Status & { content: string }>
  /** Returns the types of a user's notifications, newest first. */
  notificationsOf(user: TestUser): Promise<string[]>
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
}: TestServerOptions & { hosts: readonly string[] }): Promise<Fediverse> {
  const peer = await openPeer({ hosts })
  const testServer = await openTestServer({ ...options, env: { ...peer.env, ...options.env }, extraCa: peer.ca })
  const { origin } = testServer.ctx.config
  peer.connect(origin, testServer.server)
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as "${table}"`).join(', ')

  async function countRows(): Promise<Record<string, number>> {
    const { rows } = await sql.raw<Record<string, number>>(`select ${counts}`).execute(testServer.ctx.db)
    return rows[0]!
  }

  async function waitForAnswer(sent: ReturnType<Send>): Promise<number> {
    const { status, body, json } = await sent
    if (status === 202) assert.equal(body, '')
    else assert.deepEqual([Object.keys(json as object), typeof json.error], [['error'], 'string'])
    return status
  }

  async function deliver(actor: PeerActor, ...activities: Activity[]): Promise<void> {
    for (const activity of activities) {
      assert.equal(await waitForAnswer(actor.send(activity)), 202)
      await testServer.waitForJobs()
    }
  }

  async function findStatus(uri: unknown): Promise<StatusRow | undefined> {
    const { rows } = await sql<StatusRow>`select * from statuses where uri = ${uri}`.execute(testServer.ctx.db)
    return rows[0]
  }

  async function getStatus(uri: unknown): Promise<StatusRow> {
    const row = await findStatus(uri)
    assert.ok(row, `${String(uri)} was not recorded`)
    return row
  }

  return {
    testServer,
    peer,
    origin,
    uriOf: ({ accountId }) => `${origin}/ap/users/${accountId}`,
    countRows,
    waitForAnswer,
    deliver,
    async expectRejected(actor, activity, options) {
      await testServer.waitForJobs()
      const before = await countRows()
      const status = await waitForAnswer(actor.send(activity, options))
      await testServer.waitForJobs()
      assert.deepEqual(await countRows(), before)
      return status
    },
    async followEachOther(user, actor) {
      const { body } = await user.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
      const [{ id }] = body
      await user.client.post(`/api/v1/accounts/${id}/follow`)
      const { activity } = await actor.inbox.next(({ type, object }) => type === 'Follow' && object === actor.id)
      await deliver(actor, actor.activity('Accept', activity))
      return id
    },
    findStatus,
    getStatus,
    async show(user, uri) {
      const { id } = await getStatus(uri)
      return (await user.client.get(`/api/v1/statuses/${id}`)).body
    },
    async notificationsOf(user) {
      await testServer.waitForJobs()
      return (await user.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
    },
    async close() {
      await testServer.close()
      await peer.close()
    },
  }
}
