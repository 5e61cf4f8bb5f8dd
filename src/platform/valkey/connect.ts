import { Redis } from 'iovalkey'
import type { Log } from '../log.ts'

/** Longer than any answer of a healthy one takes. Whoever waits for it has people waiting. */
const ANSWER_MS = 1_000
const CONNECT_MS = 5_000
const LONGEST_PAUSE_MS = 1_000

/** Valkey or Redis, which keeps nothing that may not be lost. */
export interface Valkey {
  client: Redis
  /** Before every name: one of them may serve several servers. */
  prefix: string
  /** A connection of one's own; one that `listens` may do nothing else, and waits until it can. */
  connect(use: { listens: boolean }): Redis
  close(): void
}

/** @throws Error when it does not answer now: later it is waited for, and commands fail meanwhile */
export async function connectValkey(
  url: string,
  { localDomain, log }: { localDomain: string; log: Log },
): Promise<Valkey> {
  let away = false
  const connect = ({ listens }: { listens: boolean }) => {
    const client = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_MS,
      enableOfflineQueue: listens,
      maxRetriesPerRequest: listens ? null : 0,
      ...(listens ? {} : { commandTimeout: ANSWER_MS }),
      retryStrategy: (times) => Math.min(50 * times, LONGEST_PAUSE_MS),
    })
    client.on('error', (err: Error) => {
      if (!away) log.warn({ err }, 'Valkey is unreachable')
      away = true
    })
    client.on('ready', () => {
      if (away) log.info({}, 'Valkey is reachable again')
      away = false
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
  return { client, prefix: `linnet:${localDomain}:`, connect, close: () => client.disconnect() }
}
