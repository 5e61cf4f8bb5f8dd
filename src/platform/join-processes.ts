import type pg from 'pg'
import type { Bus } from './bus.ts'
import { createPostgresBus } from './bus/postgres.ts'
import type { Config } from './config.ts'
import type { Connection } from './db/connect.ts'
import type { Log } from './log.ts'
import { createMemoryRateLimiter } from './rate-limit.ts'
import type { RateLimiter } from './rate-limit.ts'

/** What many processes of one server do together. */
interface Joint {
  bus: Bus
  limiter: RateLimiter
  part(): Promise<void>
}

/**
 * Joins this process with the others: by Valkey where there is one, which then counts requests for all of them; else by
 * PostgreSQL, where each counts for itself.
 */
export async function joinProcesses(
  { redisUrl, localDomain }: Config,
  { connection, pool, log }: { connection: Connection; pool: pg.Pool; log: Log },
): Promise<Joint> {
  if (redisUrl === null) {
    const bus = await createPostgresBus(connection, { pool, log })
    return { bus, limiter: createMemoryRateLimiter(), part: () => bus.close() }
  }
  const [{ connectValkey }, { createValkeyBus }, { createValkeyRateLimiter }] = await Promise.all([
    import('./valkey/connect.ts'),
    import('./bus/valkey.ts'),
    import('./valkey/rate-limit.ts'),
  ])
  const valkey = await connectValkey(redisUrl, { localDomain, log })
  const bus = await createValkeyBus(valkey, { log })
  const part = async () => {
    await bus.close()
    valkey.close()
  }
  return { bus, limiter: createValkeyRateLimiter(valkey), part }
}
