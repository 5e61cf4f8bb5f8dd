import type { FastifyReply } from 'fastify'
import type { CachedRead, Ctx } from '../../../../domain/context.ts'
import { findContext } from '../../../../domain/statuses/context.ts'
import type { Thread } from '../../../../domain/statuses/context.ts'
import { refreshThread } from '../../../../domain/statuses/refresh-thread.ts'
import type { ThreadRefresh } from '../../../../domain/statuses/refresh-thread.ts'
import { ref } from '../../../../entities/ref.ts'
import { Context } from '../../../../entities/status.ts'
import { renderThread } from '../../../../render/statuses/render-thread.ts'
import type { Api } from '../../../api.ts'
import { ById } from '../../../support/params.ts'
import { sendPieces } from '../../../support/send.ts'

/** After so many seconds a client may ask how a search for more replies goes. */
const RETRY_SECONDS = 3

/** The thread around a status. */
export async function statusContext(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/context',
    { schema: { tags: ['statuses'], summary: 'See a thread', params: ById, response: { 200: ref(Context) } } },
    async (request, reply) => {
      const viewerId = request.viewer?.accountId ?? null
      const thread = await findContext(ctx, { id: request.params.id, viewerId })
      const refresh = viewerId === null ? null : await refreshThread(ctx, { statusId: request.params.id })
      if (refresh) reply.header('mastodon-async-refresh', describe(refresh))
      return ctx.read(sendThread, { reply, thread, viewerId })
    },
  )
}

async function sendThread(
  read: CachedRead,
  { reply, thread, viewerId }: { reply: FastifyReply; thread: Thread; viewerId: string | null },
): Promise<FastifyReply> {
  return sendPieces(reply, renderThread(read, { thread, viewerId }))
}

function describe({ id, found }: ThreadRefresh): string {
  return `id="${id}", retry=${RETRY_SECONDS}, result_count=${found}`
}
