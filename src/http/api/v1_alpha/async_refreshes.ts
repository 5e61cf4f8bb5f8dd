import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { findRefresh } from '../../../domain/statuses/refresh-thread.ts'
import { AsyncRefresh } from '../../../entities/async-refresh.ts'
import { ref } from '../../../entities/ref.ts'
import { NotFound } from '../../../lib/errors.ts'
import type { Api } from '../../api.ts'

/** How the work behind an answer goes that will be fuller later. */
export async function asyncRefreshes(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/:id',
    {
      schema: {
        tags: ['statuses'],
        summary: 'See whether a search for more replies is done',
        params: Type.Object({ id: Type.String({ description: 'From the header Mastodon-Async-Refresh.' }) }),
        response: { 200: Type.Object({ async_refresh: ref(AsyncRefresh) }) },
      },
    },
    async (request) => {
      const refresh = await findRefresh(ctx, { id: request.params.id, now: ctx.now() })
      if (!refresh) throw new NotFound()
      const { id, isFinished, found } = refresh
      return {
        async_refresh: { id, status: isFinished ? ('finished' as const) : ('running' as const), result_count: found },
      }
    },
  )
}
