import { FetchFailedError } from './fetch-errors.ts'

/** Maximum of origins with open connections. The one that was unused for the longest time is evicted. */
const MAX_ORIGINS = 2000
const CONNECTIONS_PER_ORIGIN = 2

/** A connection of the HTTP client, which it opens and replaces itself. */
interface Connection {
  /** `size`: requests that wait or run. */
  readonly stats: { readonly connected: boolean; readonly size: number }
  /** `drain`: all requests have ended. */
  on(event: 'drain' | 'disconnect' | 'connectionError', listener: () => void): unknown
  destroy(reason?: Error): Promise<void>
}

interface WaitingRequest<C> {
  readonly signal: AbortSignal
  /** Sends the request before it returns. */
  readonly start: (connection: C) => void
  readonly reject: (reason: Error) => void
}

interface Origin<C> {
  readonly name: string
  /** At most two. */
  readonly connections: C[]
  /** In the order of their arrival. */
  readonly waiting: WaitingRequest<C>[]
}

/**
 * The connections to other servers: at most two for each origin, for one request at a time. An origin without open
 * connections is forgotten. The pools of undici do the same with 20 KB more for each origin.
 */
export class OriginConnections<C extends Connection> {
  /** In the order of their last requests. */
  readonly #origins = new Map<string, Origin<C>>()
  readonly #open: (origin: string) => C

  constructor(open: (origin: string) => C) {
    this.#open = open
  }

  /** The number of origins with connections or requests. */
  get size(): number {
    return this.#origins.size
  }

  /**
   * Sends a request as soon as a connection is free. After an abort, it is not sent any more, and the promise stays
   * pending.
   * @throws FetchFailedError if there are too many origins and all have requests
   */
  async send<T>(
    name: string,
    { signal, request }: { signal: AbortSignal; request: (connection: C) => Promise<T> },
  ): Promise<T> {
    const existing = this.#origins.get(name)
    this.#origins.delete(name)
    if (!existing && this.#origins.size >= MAX_ORIGINS) this.#evictIdleOrigin()
    const origin = existing ?? { name, connections: [], waiting: [] }
    // Moves the origin to the end of the map: it is evicted last.
    this.#origins.set(name, origin)
    return new Promise((resolve, reject) => {
      origin.waiting.push({ signal, start: (connection) => resolve(request(connection)), reject })
      this.#startWaiting(origin)
    })
  }

  /** Aborts all requests. */
  async close(): Promise<void> {
    const origins = [...this.#origins.values()]
    this.#origins.clear()
    const reason = new FetchFailedError('network', 'shutting down')
    for (const { reject } of origins.flatMap(({ waiting }) => waiting.splice(0))) reject(reason)
    await Promise.all(origins.flatMap(({ connections }) => connections).map(async (one) => one.destroy(reason)))
  }

  #startWaiting(origin: Origin<C>): void {
    while (origin.waiting.length > 0) {
      const connection = this.#findFree(origin)
      if (!connection) return
      const { signal, start } = origin.waiting.shift()!
      if (!signal.aborted) start(connection)
    }
  }

  #findFree(origin: Origin<C>): C | undefined {
    const free = origin.connections.filter(isFree)
    if (free.length > 0 || origin.connections.length === CONNECTIONS_PER_ORIGIN) {
      return free.find(({ stats }) => stats.connected) ?? free[0]
    }
    const connection = this.#open(origin.name)
    origin.connections.push(connection)
    const startWaiting = () => this.#startWaiting(origin)
    const forgetClosed = () => {
      this.#startWaiting(origin)
      this.#forgetIfClosed(origin)
    }
    connection.on('drain', startWaiting)
    connection.on('disconnect', forgetClosed)
    connection.on('connectionError', forgetClosed)
    return connection
  }

  #forgetIfClosed(origin: Origin<C>): void {
    const isClosed = origin.connections.every((one) => isFree(one) && !one.stats.connected)
    if (isClosed && this.#origins.get(origin.name) === origin) this.#origins.delete(origin.name)
  }

  #evictIdleOrigin(): void {
    for (const [name, { connections }] of this.#origins) {
      if (!connections.every(isFree)) continue
      this.#origins.delete(name)
      for (const connection of connections) void connection.destroy()
      return
    }
    throw new FetchFailedError('network', 'too many concurrent connections to other servers')
  }
}

function isFree({ stats }: Connection): boolean {
  return stats.size === 0
}
