import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { approveAppeal, rejectAppeal } from '../../../../../domain/moderation/strikes/decide-appeal.ts'
import { listAppeals } from '../../../../../domain/moderation/strikes/list-appeals.ts'
import { AdminAppeal } from '../../../../../entities/admin/accounts/admin-appeal.ts'
import { AppealState } from '../../../../../entities/notifications/notification.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminAppeal, renderAdminAppeals } from '../../../../../render/admin/accounts/render-admin-appeals.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'

const Filters = {
  status: Type.Optional(Type.With(AppealState, { description: 'Only appeals in this state.' })),
}

const DECISIONS = [
  ['approve', 'Approve an appeal, which undoes the action of the strike', approveAppeal],
  ['reject', 'Reject an appeal', rejectAppeal],
] as const

/** Linnet's own: /api/v1/admin/appeals, /api/v1/admin/appeals/:id, POST …/approve and POST …/reject */
export async function adminAppeals(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: appeals']
  const send = async (request: FastifyRequest, reply: FastifyReply, id: string) =>
    sendJson(reply, await ctx.read(renderAdminAppeal, { id, staff: staffOf(request) }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all appeals against strikes',
        querystring: Type.Object({ ...Filters, ...CURSOR_PAGINATION_PARAMS }),
        response: { 200: Type.Array(ref(AdminAppeal)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, ADMIN_PAGE)
      const ids = await listAppeals(ctx, { state: request.query.status ?? null, page })
      setLinkHeader(ctx, { request, reply, cursors: ids, page, carriedParams: Object.keys(Filters), style: 'posts' })
      return sendJson(reply, listJson(await ctx.read(renderAdminAppeals, { ids, staff: staffOf(request) })))
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single appeal', params: IdParams, response: { 200: ref(AdminAppeal) } } },
    async (request, reply) => send(request, reply, request.params.id),
  )

  for (const [path, summary, decide] of DECISIONS) {
    api.post(
      `/:id/${path}`,
      { schema: { tags, summary, params: IdParams, response: { 200: ref(AdminAppeal) } } },
      async (request, reply) => {
        const { id } = request.params
        await ctx.write((tx) => decide(tx, { id, by: staffOf(request) }))
        return send(request, reply, id)
      },
    )
  }
}
