import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { findFilteredStatus } from '../../../../domain/filters/find.ts'
import { filterStatus, unfilterStatus } from '../../../../domain/filters/statuses.ts'
import { FilterStatus } from '../../../../entities/filter.ts'
import { ref } from '../../../../entities/ref.ts'
import { NotFound } from '../../../../lib/errors.ts'
import { isId } from '../../../../lib/ids.ts'
import { renderFilter } from '../../../../render/filters/render-filters.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { ById } from '../../../support/params.ts'

/** The posts that the viewer's filters catch by themselves, one by one. */
export async function filteredStatuses(api: Api, ctx: Ctx): Promise<void> {
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
        summary: 'See the posts that a filter catches by themselves',
        params: ById,
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
        summary: 'Have a filter catch a post',
        params: ById,
        body: Type.Object({ status_id: Type.String({ description: 'Of a boost: what it boosts is caught.' }) }),
        response: { 200: ref(FilterStatus) },
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { status_id: statusId } = request.body
      if (!isId(statusId)) throw new NotFound()
      const filterId = request.params.id
      const id = await ctx.write((tx) => filterStatus(tx, { accountId, filterId, statusId }))
      return render({ id, accountId })
    },
  )

  api.get(
    '/statuses/:id',
    { schema: { tags, summary: 'See one of them', params: ById, response: { 200: ref(FilterStatus) } } },
    async (request) => render({ id: request.params.id, accountId: viewerOf(request).accountId }),
  )

  api.delete(
    '/statuses/:id',
    { schema: { tags, summary: 'Let a post be', params: ById, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => unfilterStatus(tx, { accountId, id: request.params.id }))
      return {}
    },
  )
}
