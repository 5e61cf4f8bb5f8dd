import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { listStrikes } from '../../../../../domain/moderation/strikes/list-strikes.ts'
import { AdminStrike } from '../../../../../entities/admin/accounts/admin-strike.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { listJson } from '../../../../../lib/json/entity-json.ts'
import { ADMIN_PAGE } from '../../../../../lib/page.ts'
import { renderAdminStrikes } from '../../../../../render/admin/accounts/render-admin-strikes.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { sendJson } from '../../../../support/response/send.ts'

/** Linnet's own: GET /api/v1/admin/accounts/:id/strikes */
export async function adminStrikes(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/:id/strikes',
    {
      schema: {
        tags: ['admin: accounts'],
        summary: 'View the strikes against an account',
        params: IdParams,
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminStrike)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, ADMIN_PAGE)
      const ids = await listStrikes(ctx, { accountId: request.params.id, page })
      setLinkHeader(ctx, { request, reply, cursors: ids, page, style: 'posts' })
      return sendJson(reply, listJson(await ctx.read(renderAdminStrikes, { ids, staff: staffOf(request) })))
    },
  )
}
