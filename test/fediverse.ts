import { sql } from 'kysely'
import { openPeer } from './peer.ts'
import type { Peer } from './peer.ts'
import { openWorld } from './world.ts'
import type { World, WorldOptions } from './world.ts'

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
  return {
    world,
    peer,
    origin,
    uriOf: ({ accountId }) => `${origin}/ap/users/${accountId}`,
    async countRows() {
      const { rows } = await sql.raw<Record<string, number>>(`select ${counts}`).execute(world.ctx.db)
      return rows[0]!
    },
    async close() {
      await world.close()
      await peer.close()
    },
  }
}
