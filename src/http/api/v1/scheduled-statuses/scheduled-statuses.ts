import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { cancelScheduledStatus, rescheduleStatus } from '../../../../domain/statuses/submit/reschedule-status.ts'
import {
  findScheduledStatus,
  listScheduledStatuses,
} from '../../../../domain/statuses/submit/list-scheduled-statuses.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { ScheduledStatus } from '../../../../entities/statuses/scheduled-status.ts'
import { ParameterMissingError } from '../../../../lib/errors.ts'
import { STATUS_PAGE } from '../../../../lib/page.ts'
import {
  renderScheduledStatus,
  renderScheduledStatuses,
} from '../../../../render/statuses/render-scheduled-statuses.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { readScheduledAt } from '../../../support/request/read-scheduled-at.ts'

/** Mastodon: GET /api/v1/scheduled_statuses; GET, PUT and DELETE /api/v1/scheduled_statuses/:id */
export async function scheduledStatuses(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['statuses']
  const response = { 200: ref(ScheduledStatus) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View your scheduled statuses',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(ScheduledStatus)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, STATUS_PAGE)
      const ids = await listScheduledStatuses(ctx, { accountId: viewerOf(request).accountId, page })
      setLinkHeader(ctx, { request, reply, cursors: ids, page, style: 'posts' })
      return renderScheduledStatuses(ctx, { ids })
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a scheduled status', params: IdParams, response } },
    async (request) => {
      const { accountId } = viewerOf(request)
      return renderScheduledStatus(ctx, { id: await findScheduledStatus(ctx, { id: request.params.id, accountId }) })
    },
  )

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Change the publication date of a scheduled status',
        params: IdParams,
        body: Type.Object({ scheduled_at: Type.Optional(Type.String({ description: 'ISO 8601.' })) }),
        response,
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const id = await findScheduledStatus(ctx, { id: request.params.id, accountId })
      const at = readScheduledAt(request.body.scheduled_at)
      if (at === null) throw new ParameterMissingError('scheduled_at')
      await ctx.write((tx) => rescheduleStatus(tx, { id, accountId, at }))
      return renderScheduledStatus(ctx, { id })
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Cancel a scheduled status', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => cancelScheduledStatus(tx, { id: request.params.id, accountId }))
      return {}
    },
  )
}
