import type { FastifyInstance } from 'fastify'
import { createWeb, openApp } from '../src/app.ts'
import type { Ctx } from '../src/domain/context.ts'
import type { Config } from '../src/platform/config.ts'
import { createDb } from '../src/platform/db/connect.ts'
import type { Db } from '../src/platform/db/connect.ts'
import { createLog } from '../src/platform/log.ts'
import type { World } from './world.ts'

/** A second server on the database of a world. */
export interface Forgetful {
  server: FastifyInstance
  /** Lets it go of all that it keeps in memory. */
  forget(): void
  close(): Promise<void>
}

/**
 * What a server keeps hangs on its handle of the database, or on its settings: with new ones of both, it is as one that
 * was only just started.
 */
export async function openForgetful(world: World): Promise<Forgetful> {
  const { config } = world.ctx
  const app = await openApp(config, { connection: world.connection, log: createLog('fatal') })
  letAll(app)
  let fresh: { db: Db; config: Config }
  const forget = () => void (fresh = { db: createDb(app.pool), config: { ...config } })
  forget()
  const ctx: Ctx = new Proxy(app.ctx, {
    get: (known, name) => Reflect.get(name in fresh ? fresh : known, name),
  })
  const { server, streaming } = await createWeb({ ...app, ctx })
  await server.ready()
  return {
    server,
    forget,
    async close() {
      await streaming.close()
      await server.close()
      await app.close()
    },
  }
}

/** Nobody counts any more how often somebody does something. */
export function letAll({ ctx }: { ctx: Pick<Ctx, 'limiter'> }): void {
  Object.assign(ctx, { limiter: { ...ctx.limiter, take: ctx.limiter.peek } })
}
