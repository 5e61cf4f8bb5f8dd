import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { findLocalAccount } from '../../domain/accounts/find-local.ts'
import { networkOf } from '../../lib/network.ts'
import type { RequestHead } from '../signatures/signature.ts'
import { countUses, FAILED_DELIVERIES, Throttled } from '../throttles.ts'
import { MAX_DOCUMENT_BYTES } from '../wire/parse-document.ts'
import { admitDelivery } from './admit.ts'
import type { Admission } from './admit.ts'
import { receiveActivity } from './receive.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the headers of a delivery prove; null before they were looked at, and for other requests. */
    admission: Admission | null
  }
}

const TYPES = /^application\/(?:(?:activity|ld)\+)?json(?:$|[;\s])/i

/** Where other servers deliver: one inbox for each person, and one for all. */
export async function inboxRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  await server.register(async (scope) => {
    scope.decorateRequest('admission', null)
    // Runs before the body is read.
    scope.addHook('onRequest', async (request) => {
      request.admission = await admitDelivery(ctx, { head: headOf(ctx, request), ip: request.ip })
    })
    scope.addHook('onError', async (request, reply, error) => {
      if (error instanceof Throttled) reply.header('retry-after', String(error.retryAfterSeconds))
      else if (!request.admission?.key && isRefused(error)) await countFailure(ctx, request)
    })

    // What is signed is the bytes, so they come here as they are.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      TYPES,
      { parseAs: 'buffer', bodyLimit: MAX_DOCUMENT_BYTES },
      async (_request: unknown, body: unknown) => body,
    )

    scope.post('/inbox', async (request, reply) => receive(request, reply, null))
    scope.post('/actor/inbox', async (request, reply) => receive(request, reply, null))
    // Whoever is suspended still has an inbox: they may come back.
    scope.post<{ Params: { id: string } }>('/ap/users/:id/inbox', async (request, reply) => {
      const { id } = await findLocalAccount(ctx, { id: request.params.id })
      return receive(request, reply, id)
    })
    scope.post<{ Params: { name: string } }>('/users/:name/inbox', async (request, reply) => {
      const { id } = await findLocalAccount(ctx, { username: request.params.name })
      return receive(request, reply, id)
    })
  })

  async function receive(
    request: FastifyRequest,
    reply: FastifyReply,
    inboxAccountId: string | null,
  ): Promise<FastifyReply> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    await receiveActivity(ctx, {
      request: { ...headOf(ctx, request), body },
      // The hook throws where there is none.
      admission: request.admission!,
      inboxAccountId,
      ip: request.ip,
    })
    return reply.code(202).send()
  }
}

function headOf(ctx: Ctx, { method, raw, headers }: FastifyRequest): RequestHead {
  return { method, url: ctx.config.origin + raw.url, headers, now: ctx.now() }
}

/** Whether the sender is at fault: 4xx. */
function isRefused(error: { status?: unknown; statusCode?: unknown }): boolean {
  const status = Number(error.status ?? error.statusCode)
  return status >= 400 && status < 500
}

/** What cannot be counted, since the counters cannot be reached, is answered all the same. */
async function countFailure(ctx: Ctx, { ip }: FastifyRequest): Promise<void> {
  await countUses(ctx, [{ throttle: FAILED_DELIVERIES, key: networkOf(ip) }]).catch((err: unknown) => {
    ctx.log.debug({ err }, 'failed delivery could not be counted')
  })
}
