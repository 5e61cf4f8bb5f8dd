import type { FastifyInstance } from 'fastify'
import { createMetrics } from '../platform/metrics.ts'
import type { Metrics } from '../platform/metrics.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

/** Records the duration and status of every request that matched a route. */
export function measureRequests(
  app: FastifyInstance,
  { metrics = createMetrics() }: { metrics?: Metrics | undefined },
): void {
  app.decorate('metrics', metrics)
  app.addHook('onResponse', (request, reply, done) => {
    const { url } = request.routeOptions
    if (url !== undefined) {
      metrics.observeRequest({
        method: request.method,
        route: url,
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1000,
      })
    }
    done()
  })
}
