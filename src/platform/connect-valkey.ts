import { Redis } from 'iovalkey'
import type { Log } from './log/log.ts'

/** Longer than any response of a healthy server takes. Client requests wait for these commands. */
const COMMAND_TIMEOUT_MS = 1_000
const CONNECT_MS = 5_000
const MAX_RECONNECT_DELAY_MS = 1_000

/** A connection to Valkey or Redis. It stores only data that may be lost. */
export interface Valkey {
  client: Redis
  /** Prefix of all keys and channels, because several Linnet servers may share one Valkey. */
  keyPrefix: string
  /**
   * Opens another connection. One that `listens` can only subscribe; its commands wait for the connection instead of
   * failing.
   */
  connect(use: { listens: boolean }): Redis
  close(): void
}

/**
 * Connects to Valkey or Redis. Later connection losses are retried, and commands fail meanwhile.
 * @throws Error if the first connection fails
 */
export async function connectValkey(
  url: string,
  { localDomain, log }: { localDomain: string; log: Log },
): Promise<Valkey> {
  let isUnavailable = false
  const connect = ({ listens: isSubscriber }: { listens: boolean }) => {
    const client = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS,
      enableOfflineQueue: isSubscriber,
      maxRetriesPerRequest: isSubscriber ? null : 0,
      ...(isSubscriber ? {} : { commandTimeout: COMMAND_TIMEOUT_MS }),
      retryStrategy: (times) => Math.min(50 * times, MAX_RECONNECT_DELAY_MS),
    })
    client.on('error', (err: Error) => {
      if (!isUnavailable) log.warn({ err }, 'Valkey is unreachable')
      isUnavailable = true
    })
    client.on('ready', () => {
      if (isUnavailable) log.info({}, 'Valkey is reachable again')
      isUnavailable = false
    })
    return client
  }
  const client = connect({ listens: false })
  try {
    await client.connect()
  } catch (err) {
    client.disconnect()
    throw err
  }
  return { client, keyPrefix: `linnet:${localDomain}:`, connect, close: () => client.disconnect() }
}
