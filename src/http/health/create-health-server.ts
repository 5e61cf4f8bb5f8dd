import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { healthRoutes } from './health-routes.ts'
import { measureRequests } from '../measure-requests.ts'
import { prepareShutdown } from '../prepare-shutdown.ts'

/** Returns a server with the health checks and metrics only, for a process that serves no other HTTP. */
export async function createHealthServer(ctx: Ctx, { metrics }: { metrics: Metrics }): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, forceCloseConnections: true, routerOptions: { ignoreTrailingSlash: true } })
  measureRequests(app, { metrics })
  prepareShutdown(app)
  await healthRoutes(app, ctx)
  return app
}
