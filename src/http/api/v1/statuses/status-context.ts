import type { FastifyReply } from 'fastify'
import type { CachedRead, Ctx } from '../../../../domain/context.ts'
import { findContext } from '../../../../domain/statuses/read/find-context.ts'
import type { Thread } from '../../../../domain/statuses/read/find-context.ts'
import { refreshThread } from '../../../../domain/statuses/remote/refresh-thread.ts'
import type { ThreadRefresh } from '../../../../domain/statuses/remote/refresh-thread.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Context } from '../../../../entities/statuses/status.ts'
import { renderThread } from '../../../../render/statuses/render-thread.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJsonChunks } from '../../../support/response/send.ts'

/** Seconds after which a client may poll the state of a search for more replies. */
const RETRY_SECONDS = 3

/** Mastodon: GET /api/v1/statuses/:id/context */
export async function statusContext(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/context',
    {
      schema: {
        tags: ['statuses'],
        summary: 'View the thread of a status',
        params: IdParams,
        response: { 200: ref(Context) },
      },
    },
    async (request, reply) => {
      const viewerId = request.viewer?.accountId ?? null
      const thread = await findContext(ctx, { id: request.params.id, viewerId })
      const refresh = viewerId === null ? null : await refreshThread(ctx, { statusId: request.params.id })
      if (refresh) reply.header('mastodon-async-refresh', asyncRefreshHeader(refresh))
      return ctx.read(sendThread, { reply, thread, viewerId })
    },
  )
}

async function sendThread(
  read: CachedRead,
  { reply, thread, viewerId }: { reply: FastifyReply; thread: Thread; viewerId: string | null },
): Promise<FastifyReply> {
  return sendJsonChunks(reply, renderThread(read, { thread, viewerId }))
}

function asyncRefreshHeader({ id, foundCount }: ThreadRefresh): string {
  return `id="${id}", retry=${RETRY_SECONDS}, result_count=${foundCount}`
}
