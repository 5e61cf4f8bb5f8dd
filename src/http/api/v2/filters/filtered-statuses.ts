import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findFilteredStatus } from '../../../../domain/filters/find-filter.ts'
import { filterStatus, unfilterStatus } from '../../../../domain/filters/filter-status.ts'
import { FilterStatus } from '../../../../entities/accounts/filter.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { NotFoundError } from '../../../../lib/errors.ts'
import { isId } from '../../../../lib/ids.ts'
import { renderFilter } from '../../../../render/filters/render-filters.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { IdParams } from '../../../support/request/path-params.ts'

/** Mastodon: GET and POST /api/v2/filters/:id/statuses; GET and DELETE /api/v2/filters/statuses/:id */
export async function filteredStatuses(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['filters']
  const render = async ({ id, accountId }: { id: string; accountId: string }): Promise<FilterStatus> => {
    const { status_id } = await findFilteredStatus(ctx, { id, accountId })
    return { id, status_id }
  }

  api.get(
    '/:id/statuses',
    {
      schema: {
        tags,
        summary: 'View the statuses in a filter',
        params: IdParams,
        response: { 200: Type.Array(ref(FilterStatus)) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      return (await renderFilter(ctx, { accountId, id: request.params.id })).statuses
    },
  )

  api.post(
    '/:id/statuses',
    {
      schema: {
        tags,
        summary: 'Add a status to a filter',
        params: IdParams,
        body: Type.Object({ status_id: Type.String({ description: 'For a boost, the boosted status is added.' }) }),
        response: { 200: ref(FilterStatus) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { status_id: statusId } = request.body
      if (!isId(statusId)) throw new NotFoundError()
      const filterId = request.params.id
      const id = await ctx.write((tx) => filterStatus(tx, { accountId, filterId, statusId }))
      return render({ id, accountId })
    },
  )

  api.get(
    '/statuses/:id',
    { schema: { tags, summary: 'View a status in a filter', params: IdParams, response: { 200: ref(FilterStatus) } } },
    async (request) => render({ id: request.params.id, accountId: viewerOf(request).accountId }),
  )

  api.delete(
    '/statuses/:id',
    {
      schema: { tags, summary: 'Remove a status from a filter', params: IdParams, response: { 200: Type.Object({}) } },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => unfilterStatus(tx, { accountId, id: request.params.id }))
      return {}
    },
  )
}
