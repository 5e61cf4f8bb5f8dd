import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Type } from 'typebox'
import type { Ctx } from '../../domain/context.ts'
import { RETRY_AFTER_SECONDS } from '../../lib/errors.ts'
import { withTimeout } from '../../lib/async/with-timeout.ts'
import { statement } from '../../platform/db/statement.ts'

/** A database that takes longer to answer counts as unreachable. */
const DATABASE_TIMEOUT_SECONDS = 2

/** Headers that mark a request as forwarded by a proxy. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

const ping = statement('select')

/** Serves health checks and metrics for process supervisors, load balancers and Prometheus. */
export async function healthRoutes(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const isDatabaseUp = createDatabaseCheck(ctx)

  app.get('/health', { schema: schemaOf('Check the server and its database') }, async (_request, reply) => {
    const up = await isDatabaseUp()
    if (!up) reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
    return { status: up ? 'UP' : 'DOWN' }
  })
  app.get('/livez', { schema: schemaOf('Check whether the process is running') }, async () => ({ status: 'UP' }))
  app.get(
    '/readyz',
    { schema: schemaOf('Check whether the server is ready for requests') },
    async (_request, reply) => {
      const ready = !app.shutdown.isNear && (await isDatabaseUp())
      if (!ready) reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
      return { status: ready ? 'READY' : 'NOT READY' }
    },
  )

  const allowedRanges = ctx.config.metricsAllowedRanges.map((range) =>
    ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : rangeOfAddress(range),
  )
  app.get('/metrics', { schema: { ...schemaOf('Metrics for Prometheus'), hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(request, allowedRanges)) return reply.callNotFound()
    const { contentType, text } = await app.metrics.read()
    return reply.type(contentType).send(text)
  })
}

const HealthResponse = Type.Object({ status: Type.String() })

function schemaOf(summary: string) {
  return { tags: ['server'], summary, response: { 200: HealthResponse, 503: HealthResponse } }
}

/** Returns a check that concurrent callers share, so that queries do not pile up while the database hangs. */
function createDatabaseCheck(ctx: Ctx): () => Promise<boolean> {
  let pending: Promise<boolean> | null = null
  return () =>
    (pending ??= isDatabaseReachable(ctx).finally(() => {
      pending = null
    }))
}

async function isDatabaseReachable({ db }: Ctx): Promise<boolean> {
  return withTimeout(DATABASE_TIMEOUT_SECONDS, ping(db)).then(
    () => true,
    () => false,
  )
}

type IpRange = ReturnType<typeof ipaddr.parseCIDR>

function rangeOfAddress(text: string): IpRange {
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * Decides by the address of the TCP peer, never by a header. Refuses forwarded requests, since their peer is the proxy
 * and not the client.
 */
function mayReadMetrics(request: FastifyRequest, allowedRanges: IpRange[]): boolean {
  const peer = request.socket.remoteAddress
  if (!peer || PROXY_HEADERS.some((name) => name in request.headers)) return false
  const address = ipaddr.process(peer)
  return allowedRanges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}
