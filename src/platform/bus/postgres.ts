import pg from 'pg'
import { createHearers, inLoads } from '../bus.ts'
import type { Bus, Parcel } from '../bus.ts'
import { createDb } from '../db/connect.ts'
import type { Connection } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import type { Log } from '../log.ts'

/** One channel for all topics: a listener costs PostgreSQL on each notification, whatever the channel. */
const CHANNEL = 'linnet'

/** PostgreSQL refuses notifications of 8,000 bytes and more. */
const MAX_BYTES = 7_900

const RECONNECT_MS = 500

const notify = statement<{ params: { payloads: readonly string[] } }>(
  `select pg_notify('${CHANNEL}', payload) from unnest($payloads::text[]) payload`,
)

/**
 * A bus over LISTEN/NOTIFY. Publishing is batched outside of any transaction, because a notifying commit takes a
 * database-wide lock: however many messages wait, one statement carries them.
 */
export async function createPostgresBus(
  connection: Connection,
  { pool, log }: { pool: pg.Pool; log: Log },
): Promise<Bus> {
  const { hear, subscribe } = createHearers()
  const db = createDb(pool)
  let listener: pg.Client | undefined
  let closed = false
  const listen = async () => {
    const client = new pg.Client({ ...connection, application_name: 'linnet bus', keepAlive: true })
    client.on('notification', ({ payload }) => hear(payload))
    client.on('error', (err) => log.warn({ err }, 'message bus disconnected'))
    client.on('end', () => {
      if (!closed && listener === client) void reconnect()
    })
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    listener = client
  }

  const reconnect = async () => {
    listener = undefined
    while (!closed && !listener) {
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
      await listen().catch((err: unknown) => log.debug({ err }, 'message bus reconnection failed'))
    }
  }

  const send = inLoads(async (parcels: string[]) => {
    try {
      await notify(db, { payloads: batch(parcels) })
    } catch (err) {
      log.warn({ err }, 'bus messages lost')
    }
  })

  await listen()
  return {
    async publish(topic, message) {
      const parcel = JSON.stringify({ topic, message } satisfies Parcel)
      if (Buffer.byteLength(parcel) > MAX_BYTES) throw new Error(`A message on ${topic} is too large for the bus`)
      return send(parcel)
    },
    subscribe,
    async close() {
      closed = true
      await listener?.end()
    },
  }
}

/** Packs messages into as few notifications as their size allows. */
function batch(parcels: string[]): string[] {
  const payloads: string[] = []
  let current: string[] = []
  let bytes = 2
  for (const parcel of parcels) {
    const size = Buffer.byteLength(parcel) + 1
    if (bytes + size > MAX_BYTES && current.length > 0) {
      payloads.push(`[${current.join(',')}]`)
      current = []
      bytes = 2
    }
    current.push(parcel)
    bytes += size
  }
  if (current.length > 0) payloads.push(`[${current.join(',')}]`)
  return payloads
}
