import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import type { Metrics } from '../platform/metrics.ts'
import { health } from './health.ts'
import { measureRequests } from './measure.ts'

/** A server that only tells how its process is, for one that has no other. */
export async function createHealthServer(ctx: Ctx, { metrics }: { metrics: Metrics }): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: true } })
  measureRequests(app, { metrics })
  await health(app, ctx)
  return app
}
