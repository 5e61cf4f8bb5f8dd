import { Type } from 'typebox'
import { findReportRefresh } from '../../../domain/annual-reports/find-annual-report.ts'
import type { Ctx } from '../../../domain/context.ts'
import { findThreadRefresh } from '../../../domain/statuses/remote/refresh-thread.ts'
import { AsyncRefresh } from '../../../entities/statuses/async-refresh.ts'
import { ref } from '../../../entities/schema/ref.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { viewerOf } from '../../support/auth/authorize-routes.ts'

/** Mastodon: GET /api/v1_alpha/async_refreshes/:id. The state of the background work that completes a response. */
export async function asyncRefreshes(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/:id',
    {
      schema: {
        tags: ['statuses'],
        summary: 'View the state of a search for replies or of an annual report',
        params: Type.Object({ id: Type.String({ description: 'The id in the header Mastodon-Async-Refresh.' }) }),
        response: { 200: Type.Object({ async_refresh: ref(AsyncRefresh) }) },
      },
    },
    async (request) => {
      const lookup = { id: request.params.id, now: ctx.now() }
      const { accountId } = viewerOf(request)
      const report = await findReportRefresh(ctx, { ...lookup, accountId })
      if (report) return { async_refresh: { ...report, result_count: null } }
      const refresh = await findThreadRefresh(ctx, lookup)
      if (!refresh) throw new NotFoundError()
      const { id, isFinished, foundCount } = refresh
      return {
        async_refresh: {
          id,
          status: isFinished ? ('finished' as const) : ('running' as const),
          result_count: foundCount,
        },
      }
    },
  )
}
