import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { findLocalAccount } from '../../../domain/accounts/lookup/find-local-account.ts'
import { networkPrefixOf } from '../../../lib/http/network-prefix-of.ts'
import type { RequestHead } from '../../signatures/signature.ts'
import { countUses, FAILED_DELIVERIES, ThrottledError } from '../../throttles.ts'
import { MAX_DOCUMENT_BYTES } from '../../wire/parse-document.ts'
import { authenticateDelivery } from './authenticate-delivery.ts'
import type { DeliveryAuthentication } from './authenticate-delivery.ts'
import { receiveActivity } from './receive-activity.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authentication of a delivery by its headers; null before that, and for other requests. */
    deliveryAuthentication: DeliveryAuthentication | null
  }
}

const ACTIVITY_CONTENT_TYPES = /^application\/(?:(?:activity|ld)\+)?json(?:$|[;\s])/i

/** Registers the inboxes: one for each account, that of the instance actor, and the shared inbox (ActivityPub §7.1). */
export async function registerInboxRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  await server.register(async (scope) => {
    scope.decorateRequest('deliveryAuthentication', null)
    // Runs before the body is read.
    scope.addHook('onRequest', async (request) => {
      request.deliveryAuthentication = await authenticateDelivery(ctx, {
        head: headOf(ctx, request),
        ip: request.clientIp,
      })
    })
    scope.addHook('onError', async (request, reply, error) => {
      if (error instanceof ThrottledError) reply.header('retry-after', String(error.retryAfterSeconds))
      else if (!request.deliveryAuthentication?.key && isClientError(error)) await countFailure(ctx, request)
    })

    // The digest covers the raw bytes, so they are not parsed here.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      ACTIVITY_CONTENT_TYPES,
      { parseAs: 'buffer', bodyLimit: MAX_DOCUMENT_BYTES },
      async (_request: unknown, body: unknown) => body,
    )

    scope.post('/inbox', async (request, reply) => receive(request, reply, null))
    scope.post('/actor/inbox', async (request, reply) => receive(request, reply, null))
    // A suspended account still has an inbox, because it may be unsuspended.
    scope.post<{ Params: { id: string } }>('/ap/users/:id/inbox', async (request, reply) => {
      const { id } = await ctx.read(findLocalAccount, { id: request.params.id, now: ctx.now() })
      return receive(request, reply, id)
    })
    scope.post<{ Params: { name: string } }>('/users/:name/inbox', async (request, reply) => {
      const { id } = await ctx.read(findLocalAccount, { username: request.params.name, now: ctx.now() })
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
      // The hook throws if the authentication fails.
      authentication: request.deliveryAuthentication!,
      inboxAccountId,
      ip: request.clientIp,
    })
    return reply.code(202).send()
  }
}

function headOf(ctx: Ctx, { method, raw, headers }: FastifyRequest): RequestHead {
  return { method, url: ctx.config.origin + raw.url, headers, now: ctx.now() }
}

/** Returns whether an error is the sender's fault (4xx). */
function isClientError(error: { status?: unknown; statusCode?: unknown }): boolean {
  const status = Number(error.status ?? error.statusCode)
  return status >= 400 && status < 500
}

/** Counts a failed delivery. If the counters are unreachable, the request is still responded to. */
async function countFailure(ctx: Ctx, { ip }: FastifyRequest): Promise<void> {
  await countUses(ctx, [{ throttle: FAILED_DELIVERIES, key: networkPrefixOf(ip) }]).catch((err: unknown) => {
    ctx.log.debug({ err }, 'Failed delivery could not be counted')
  })
}
