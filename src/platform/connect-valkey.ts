import { Redis } from 'iovalkey'
import type { Log } from './log/log.ts'
import { ValkeyUnavailableError } from './valkey-unavailable-error.ts'

/** Longer than any response of a healthy server takes. Client requests wait for these commands. */
const COMMAND_TIMEOUT_MS = 1_000
const CONNECT_MS = 5_000

/**
 * A connection that sends no response for so long is replaced: the machine of Valkey may have disappeared, or a firewall
 * may have dropped the connection, without closing it.
 */
const RESPONSE_TIMEOUT_MS = 2_000
/** The longest time between two attempts to connect again. */
export const MAX_RECONNECT_DELAY_MS = 1_000

/** A connection to Valkey or Redis. It stores only data that may be lost. */
export interface Valkey {
  client: Redis
  /** Prefix of all keys and channels, because several Linnet servers may share one Valkey. */
  keyPrefix: string
  /**
   * Opens another connection. One that `listens` can only subscribe, and must do so again after each reconnection; its
   * commands wait for the connection instead of failing.
   */
  connect(use: { listens: boolean }): Redis
  close(): void
}

/**
 * Connects to Valkey or Redis. Later connection losses are retried, and commands fail meanwhile.
 * @throws ValkeyUnavailableError if the first connection fails
 */
export async function connectValkey(
  url: string,
  { localDomain, log }: { localDomain: string; log: Log },
): Promise<Valkey> {
  const failing = new Set<Redis>()
  let isConnected = false
  let lastError: Error | null = null
  const connect = ({ listens: isSubscriber }: { listens: boolean }) => {
    const client = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS,
      socketTimeout: RESPONSE_TIMEOUT_MS,
      autoResubscribe: false,
      enableOfflineQueue: isSubscriber,
      maxRetriesPerRequest: isSubscriber ? null : 0,
      ...(isSubscriber ? {} : { commandTimeout: COMMAND_TIMEOUT_MS }),
      retryStrategy: (times) => Math.min(50 * times, MAX_RECONNECT_DELAY_MS),
      // The former primary of a failover accepts no writes. A new connection leads to the new primary.
      reconnectOnError: ({ message }) => message.includes('READONLY'),
    })
    client.on('error', (err: Error) => {
      lastError = err
      // The caller reports that the first connection failed.
      if (!isConnected) return
      if (failing.size === 0) log.warn({ err }, 'Valkey is unreachable')
      failing.add(client)
    })
    client.on('ready', () => {
      if (failing.delete(client) && failing.size === 0) log.info({}, 'Valkey is reachable again')
    })
    return client
  }
  const client = connect({ listens: false })
  try {
    await client.connect()
    // With a wrong password, the connection is open and only commands fail.
    await client.ping()
    // The library ignores that there is no database with the number of the URL, and would use the first one.
    const { db = 0 } = client.options
    if (db > 0) await client.select(db)
    isConnected = true
  } catch (err) {
    client.disconnect()
    // The library rejects with "Connection is closed", and emits the reason before.
    const cause = lastError ?? err
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ValkeyUnavailableError(`Valkey at ${new URL(url).host} (REDIS_URL) can't be used: ${reason}`, { cause })
  }
  return { client, keyPrefix: `linnet:${localDomain}:`, connect, close: () => client.disconnect() }
}
