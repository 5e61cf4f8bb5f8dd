import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { findLocalAccount } from '../../domain/accounts/find-local.ts'
import { MAX_DOCUMENT_BYTES } from '../wire/parse-document.ts'
import { receiveActivity } from './receive.ts'

const TYPES = /^application\/(?:(?:activity|ld)\+)?json(?:$|[;\s])/i

/** Where other servers deliver: one inbox for each person, and one for all. */
export async function inboxRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  await server.register(async (scope) => {
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
    await receiveActivity(ctx, {
      request: {
        method: request.method,
        url: ctx.config.origin + request.raw.url,
        headers: request.headers,
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        now: ctx.now(),
      },
      inboxAccountId,
      ip: request.ip,
    })
    return reply.code(202).send()
  }
}
