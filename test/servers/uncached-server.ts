import type { FastifyInstance } from 'fastify'
import { createWebServer, openApp } from '../../src/app.ts'
import type { Ctx } from '../../src/domain/context.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { createDb } from '../../src/platform/db/connection.ts'
import type { Db } from '../../src/platform/db/connection.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { TestServer } from './test-server.ts'

/** A second server on the database of a test server. */
export interface UncachedServer {
  server: FastifyInstance
  /** Clears all its caches. */
  clearCaches(): void
  close(): Promise<void>
}

/**
 * Opens a server whose caches can be cleared. Caches are bound to the database handle or the configuration of a server,
 * so new objects for both have the effect of a restart.
 */
export async function openUncachedServer(testServer: TestServer): Promise<UncachedServer> {
  const { config } = testServer.ctx
  const app = await openApp(config, { connection: testServer.connection, log: createLog('fatal') })
  disableRateLimits(app)
  let replaced: { db: Db; config: Config }
  const clearCaches = () => void (replaced = { db: createDb(app.pool), config: { ...config } })
  clearCaches()
  const ctx: Ctx = new Proxy(app.ctx, {
    get: (original, name) => Reflect.get(name in replaced ? replaced : original, name),
  })
  const { server, streaming } = await createWebServer({ ...app, ctx })
  await server.ready()
  return {
    server,
    clearCaches,
    async close() {
      await streaming.close()
      await server.close()
      await app.close()
    },
  }
}

/** Disables the rate limits of a server. */
export function disableRateLimits({ ctx }: { ctx: Pick<Ctx, 'rateLimiter'> }): void {
  Object.assign(ctx, { rateLimiter: { ...ctx.rateLimiter, take: ctx.rateLimiter.peek } })
}
