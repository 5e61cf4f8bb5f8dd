import { Type } from 'typebox'
import { findReportRefresh } from '../../../domain/annual-reports/find.ts'
import type { Ctx } from '../../../domain/context.ts'
import { findRefresh } from '../../../domain/statuses/refresh-thread.ts'
import { AsyncRefresh } from '../../../entities/async-refresh.ts'
import { ref } from '../../../entities/ref.ts'
import { NotFound } from '../../../lib/errors.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'

/** How the work behind an answer goes that will be fuller later. */
export async function asyncRefreshes(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/:id',
    {
      schema: {
        tags: ['statuses'],
        summary: 'See whether a search for more replies is done, or an annual report',
        params: Type.Object({ id: Type.String({ description: 'From the header Mastodon-Async-Refresh.' }) }),
        response: { 200: Type.Object({ async_refresh: ref(AsyncRefresh) }) },
      },
    },
    async (request) => {
      const asked = { id: request.params.id, now: ctx.now() }
      const { accountId } = viewerOf(request)
      const report = await findReportRefresh(ctx, { ...asked, accountId })
      if (report) return { async_refresh: { ...report, result_count: null } }
      const refresh = await findRefresh(ctx, asked)
      if (!refresh) throw new NotFound()
      const { id, isFinished, found } = refresh
      return {
        async_refresh: { id, status: isFinished ? ('finished' as const) : ('running' as const), result_count: found },
      }
    },
  )
}
