import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createBatchSender, createSubscriptions, reportLosses } from './bus.ts'
import type { Bus, BusMessage } from './bus.ts'
import { createDb, openSocket } from '../db/connection.ts'
import type { Connection } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import type { Log } from '../log/log.ts'

/** All topics share one channel: PostgreSQL's work for a listener does not depend on the channel of a notification. */
const CHANNEL = 'linnet'

/** PostgreSQL rejects payloads of 8,000 bytes and more. */
const MAX_BYTES = 7_900

const RECONNECT_MS = 250

/**
 * After the listener of this process has reconnected, messages wait for so long: those of other processes reconnect at
 * the same time, for example after a restart of PostgreSQL, and would miss them.
 */
const SETTLE_MS = 2 * RECONNECT_MS

/** How long messages wait at most. A process without a listener also publishes. */
const MAX_WAIT_MS = 3_000

/** Time limit of a connection attempt. */
const CONNECT_TIMEOUT_MS = 10_000

/**
 * How often the listener sends a statement, because it would never notice a lost connection by listening only.
 * `maxSilenceMs`: longer silence ends the connection.
 */
export interface ListenerTiming {
  heartbeatMs: number
  maxSilenceMs: number
}

const LISTENER_TIMING: ListenerTiming = { heartbeatMs: 10_000, maxSilenceMs: 20_000 }

const notify = statement<{ params: { payloads: readonly string[] } }>(
  `select pg_notify('${CHANNEL}', payload) from unnest($payloads::text[]) payload`,
)

/**
 * Creates a bus over LISTEN/NOTIFY. Messages are published in batches and outside of transactions, because a commit
 * with notifications takes a database-wide lock: one statement publishes all pending messages.
 */
export async function createPostgresBus(
  connection: Connection,
  { pool, log, timing = LISTENER_TIMING }: { pool: pg.Pool; log: Log; timing?: ListenerTiming },
): Promise<Bus> {
  const { dispatch, subscribe } = createSubscriptions()
  const db = createDb(pool)
  let listener: pg.Client | undefined
  let closed = false
  let reconnecting: Promise<void> | null = null
  const listen = async () => {
    const client = new pg.Client({
      ...connection,
      application_name: 'linnet bus',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      stream: () => openSocket(timing),
    })
    client.on('notification', ({ payload }) => dispatch(payload))
    const replace = () => {
      if (closed || listener !== client) return
      client.end().catch(() => {})
      const current = (reconnecting = reconnect().finally(() => {
        if (reconnecting === current) reconnecting = null
      }))
    }
    client.once('error', (err) => {
      log.warn({ err }, 'Message bus disconnected')
      replace()
    })
    // The end of the connection is a second error.
    client.on('error', () => {})
    client.on('end', replace)
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      // The bus may have been closed in the meantime.
      if (closed) return await client.end()
    } catch (err) {
      await client.end().catch(() => {})
      throw err
    }
    listener = client
  }

  const reconnect = async () => {
    listener = undefined
    while (!closed && !listener) {
      await sleep(RECONNECT_MS)
      await listen().catch((err: unknown) => log.debug({ err }, 'Message bus could not reconnect'))
    }
    if (!closed) await sleep(SETTLE_MS)
  }

  const sender = createBatchSender(
    reportLosses(log, async (messages: string[]) => {
      if (reconnecting) await Promise.race([reconnecting, sleep(MAX_WAIT_MS, undefined, { ref: false })])
      await notify(db, { payloads: packPayloads(messages) })
    }),
  )

  await listen()
  let lastHeartbeat: pg.Client | undefined
  const heartbeat = setInterval(() => {
    if (!listener || listener === lastHeartbeat) return
    const client = (lastHeartbeat = listener)
    // A lost connection emits an error.
    client
      .query('select')
      .catch(() => {})
      .finally(() => {
        if (lastHeartbeat === client) lastHeartbeat = undefined
      })
  }, timing.heartbeatMs)
  return {
    async publish(topic, message) {
      const serialized = JSON.stringify({ topic, message } satisfies BusMessage)
      if (Buffer.byteLength(serialized) > MAX_BYTES) throw new Error(`A message on ${topic} is too large for the bus`)
      return sender.add(serialized)
    },
    subscribe,
    async close() {
      closed = true
      clearInterval(heartbeat)
      // The last messages need the pool, which is closed next.
      await Promise.race([sender.flush(), sleep(MAX_WAIT_MS, undefined, { ref: false })])
      await listener?.end()
    },
  }
}

/** Packs messages into as few payloads as the size limit allows. */
function packPayloads(messages: string[]): string[] {
  const payloads: string[] = []
  let current: string[] = []
  let bytes = 2
  for (const message of messages) {
    const size = Buffer.byteLength(message) + 1
    if (bytes + size > MAX_BYTES && current.length > 0) {
      payloads.push(`[${current.join(',')}]`)
      current = []
      bytes = 2
    }
    current.push(message)
    bytes += size
  }
  if (current.length > 0) payloads.push(`[${current.join(',')}]`)
  return payloads
}
