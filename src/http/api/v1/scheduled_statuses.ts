import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { cancelScheduledStatus, rescheduleStatus } from '../../../domain/scheduled/change.ts'
import { findScheduled, readScheduled } from '../../../domain/scheduled/list.ts'
import { ref } from '../../../entities/ref.ts'
import { ScheduledStatus } from '../../../entities/scheduled-status.ts'
import { ParameterMissing } from '../../../lib/errors.ts'
import { STATUS_PAGE } from '../../../lib/page.ts'
import { renderScheduledStatus, renderScheduledStatuses } from '../../../render/statuses/render-scheduled-statuses.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { ById } from '../../support/params.ts'
import { readScheduledAt } from '../../support/scheduled-at.ts'

/** What the viewer wrote for later. */
export async function scheduledStatuses(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['statuses']
  const response = { 200: ref(ScheduledStatus) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'See my scheduled statuses',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(ScheduledStatus)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, STATUS_PAGE)
      const ids = await readScheduled(ctx, { accountId: viewerOf(request).accountId, page })
      linkPages(ctx, { request, reply, cursors: ids, page, style: 'posts' })
      return renderScheduledStatuses(ctx, { ids })
    },
  )

  api.get('/:id', { schema: { tags, summary: 'See a scheduled status', params: ById, response } }, async (request) => {
    const { accountId } = viewerOf(request)
    return renderScheduledStatus(ctx, { id: await findScheduled(ctx, { id: request.params.id, accountId }) })
  })

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Schedule a status for another moment',
        params: ById,
        body: Type.Object({ scheduled_at: Type.Optional(Type.String({ description: 'ISO 8601.' })) }),
        response,
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const id = await findScheduled(ctx, { id: request.params.id, accountId })
      const at = readScheduledAt(request.body.scheduled_at)
      if (at === null) throw new ParameterMissing('scheduled_at')
      await ctx.write((tx) => rescheduleStatus(tx, { id, accountId, at }))
      return renderScheduledStatus(ctx, { id })
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Cancel a scheduled status', params: ById, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { accountId } = viewerOf(request)
      await ctx.write((tx) => cancelScheduledStatus(tx, { id: request.params.id, accountId }))
      return {}
    },
  )
}
