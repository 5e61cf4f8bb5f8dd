import { FetchFailedError } from './fetch-errors.ts'

/** Maximum of origins with open connections. The one that was unused for the longest time is evicted. */
const MAX_ORIGINS = 2000

/** The connections to one origin: a pool of the HTTP client. */
interface OriginPool {
  /** `size`: requests that wait or run. */
  readonly stats: { readonly connected: number; readonly size: number }
  on(event: 'disconnect' | 'connectionError', listener: () => void): unknown
  destroy(reason?: Error): Promise<void>
}

/**
 * The open connections to other servers, by origin. An origin without connections is forgotten: its pool would take
 * 20 KB.
 */
export class OriginPools<Pool extends OriginPool> {
  /** In the order of their last requests. */
  readonly #pools = new Map<string, Pool>()

  /** The number of origins with connections or requests. */
  get size(): number {
    return this.#pools.size
  }

  /**
   * Returns the pool of an origin for a request that begins at once.
   * @throws FetchFailedError if there are too many origins and all have requests
   */
  find(origin: string, open: () => Pool): Pool {
    const existing = this.#pools.get(origin)
    this.#pools.delete(origin)
    if (!existing && this.#pools.size >= MAX_ORIGINS) this.#evictIdlePool()
    const pool = existing ?? open()
    // Moves the origin to the end of the map: it is evicted last.
    this.#pools.set(origin, pool)
    if (!existing) {
      const forgetUnused = () => {
        const { connected, size } = pool.stats
        if (connected === 0 && size === 0 && this.#pools.get(origin) === pool) this.#pools.delete(origin)
      }
      pool.on('disconnect', forgetUnused)
      pool.on('connectionError', forgetUnused)
    }
    return pool
  }

  /** Aborts all running requests. */
  async close(): Promise<void> {
    const open = [...this.#pools.values()]
    this.#pools.clear()
    await Promise.all(open.map(async (pool) => pool.destroy(new FetchFailedError('network', 'shutting down'))))
  }

  #evictIdlePool(): void {
    for (const [origin, pool] of this.#pools) {
      if (pool.stats.size > 0) continue
      this.#pools.delete(origin)
      void pool.destroy()
      return
    }
    throw new FetchFailedError('network', 'too many concurrent connections to other servers')
  }
}
