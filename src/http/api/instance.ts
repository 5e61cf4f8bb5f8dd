import type { Ctx } from '../../domain/context.ts'
import { Instance, V1Instance } from '../../entities/instance.ts'
import { ref } from '../../entities/ref.ts'
import { renderInstance } from '../../render/instance/render-instance.ts'
import type { Api } from '../api.ts'
import { deprecatedSince } from '../support/deprecated.ts'
import { sendJson } from '../support/send.ts'

/** `GET /api/v1/instance` and `GET /api/v2/instance`: what this server is and what it allows. */
export async function instance(api: Api, ctx: Ctx): Promise<void> {
  const { vapidPublicKey: vapidKey } = ctx.secrets
  const tags = ['instance']

  api.get(
    '/api/v1/instance',
    {
      schema: {
        tags,
        summary: 'See the server (older form)',
        ...deprecatedSince('2022-11-14'),
        response: { 200: ref(V1Instance) },
      },
    },
    async (_request, reply) => sendJson(reply, (await renderInstance(ctx, { vapidKey })).v1),
  )

  api.get(
    '/api/v2/instance',
    { schema: { tags, summary: 'See the server', response: { 200: ref(Instance) } } },
    async (_request, reply) => sendJson(reply, (await renderInstance(ctx, { vapidKey })).v2),
  )
}
