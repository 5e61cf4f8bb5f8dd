import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { Type } from 'typebox'
import type { Ctx } from '../domain/context.ts'
import { RETRY_AFTER_SECONDS } from '../lib/errors.ts'
import { within } from '../lib/within.ts'
import { statement } from '../platform/db/statement.ts'

/** A database that needs longer is as good as gone. */
const PATIENCE_SECONDS = 2

/** Headers by which proxies say that they pass on somebody else's request. */
const FORWARDED = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']

const ping = statement('select')

/** Whether the server lives and is ready, and what it counts: for supervisors, load balancers and Prometheus. */
export async function health(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const answers = createProbe(ctx)

  app.get('/health', { schema: about('Whether the server and its database answer') }, async (_request, reply) => {
    const up = await answers()
    if (!up) reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
    return { status: up ? 'UP' : 'DOWN' }
  })
  app.get('/livez', { schema: about('Whether the process runs') }, async () => ({ status: 'UP' }))
  // While it stops, Fastify itself answers 503 to whatever still comes in.
  app.get('/readyz', { schema: about('Whether requests may be sent here') }, async (_request, reply) => {
    const ready = await answers()
    if (!ready) reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
    return { status: ready ? 'READY' : 'NOT READY' }
  })

  const readers = ctx.config.metricsReaders.map((range) =>
    ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : wholeAddress(range),
  )
  app.get('/metrics', { schema: { ...about('Figures for Prometheus'), hide: true } }, async (request, reply) => {
    if (!mayRead(request, readers)) return reply.callNotFound()
    const { contentType, text } = await app.metrics.read()
    return reply.type(contentType).send(text)
  })
}

const Condition = Type.Object({ status: Type.String() })

function about(summary: string) {
  return { tags: ['server'], summary, response: { 200: Condition, 503: Condition } }
}

/** Asks the database once for all who ask at the same time, so that a hanging one does not pile up questions. */
function createProbe(ctx: Ctx): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null
  return () =>
    (asking ??= answersInTime(ctx).finally(() => {
      asking = null
    }))
}

async function answersInTime({ db }: Ctx): Promise<boolean> {
  return within(PATIENCE_SECONDS, ping(db)).then(
    () => true,
    () => false,
  )
}

type Range = ReturnType<typeof ipaddr.parseCIDR>

function wholeAddress(text: string): Range {
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** The peer of the connection itself counts, never what a header says; what came through a proxy is nobody's. */
function mayRead(request: FastifyRequest, readers: Range[]): boolean {
  const peer = request.socket.remoteAddress
  if (!peer || FORWARDED.some((name) => name in request.headers)) return false
  const address = ipaddr.process(peer)
  return readers.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}
