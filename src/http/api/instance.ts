import type { Ctx } from '../../domain/context.ts'
import { Instance, V1Instance } from '../../entities/instance/instance.ts'
import { ref } from '../../entities/schema/ref.ts'
import { renderInstance } from '../../render/instance/render-instance.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { deprecatedSince } from '../support/response/deprecation.ts'
import { sendJson } from '../support/response/send.ts'

/** Mastodon: GET /api/v1/instance, GET /api/v2/instance. Information about the server and its limits. */
export async function instance(api: TypedFastify, ctx: Ctx): Promise<void> {
  const { vapidPublicKey: vapidKey } = ctx.secrets
  const tags = ['instance']

  api.get(
    '/api/v1/instance',
    {
      schema: {
        tags,
        summary: 'View server information (version 1)',
        ...deprecatedSince('2022-11-14'),
        response: { 200: ref(V1Instance) },
      },
    },
    async (_request, reply) => sendJson(reply, (await renderInstance(ctx, { vapidKey })).v1),
  )

  api.get(
    '/api/v2/instance',
    { schema: { tags, summary: 'View server information', response: { 200: ref(Instance) } } },
    async (_request, reply) => sendJson(reply, (await renderInstance(ctx, { vapidKey })).v2),
  )
}
