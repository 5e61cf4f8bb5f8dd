import type pg from 'pg'
import type { Bus } from './bus/bus.ts'
import { createPostgresBus } from './bus/postgres-bus.ts'
import type { Config } from './config/config.ts'
import type { Connection } from './db/connection.ts'
import type { Log } from './log/log.ts'
import { createMemoryRateLimiter } from './rate-limit/rate-limiter.ts'
import type { RateLimiter } from './rate-limit/rate-limiter.ts'

/** What connects the processes of one server. */
interface ProcessLink {
  bus: Bus
  rateLimiter: RateLimiter
  disconnect(): Promise<void>
}

/**
 * Connects this process with the other processes of the server. With Valkey, they share the bus and the rate limits.
 * Without it, the bus uses PostgreSQL, and each process counts requests for itself.
 */
export async function connectProcesses(
  { redisUrl, localDomain }: Config,
  { connection, pool, log }: { connection: Connection; pool: pg.Pool; log: Log },
): Promise<ProcessLink> {
  if (redisUrl === null) {
    const bus = await createPostgresBus(connection, { pool, log })
    return { bus, rateLimiter: createMemoryRateLimiter(), disconnect: () => bus.close() }
  }
  const [{ connectValkey }, { createValkeyBus }, { createValkeyRateLimiter }] = await Promise.all([
    import('./connect-valkey.ts'),
    import('./bus/valkey-bus.ts'),
    import('./rate-limit/valkey-rate-limiter.ts'),
  ])
  const valkey = await connectValkey(redisUrl, { localDomain, log })
  const bus = await createValkeyBus(valkey, { log })
  const disconnect = async () => {
    await bus.close()
    valkey.close()
  }
  return { bus, rateLimiter: createValkeyRateLimiter(valkey, { log }), disconnect }
}
