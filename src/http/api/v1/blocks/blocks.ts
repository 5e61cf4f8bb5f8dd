import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { listBlocked } from '../../../../domain/relationships/blocks/list-blocked.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/blocks */
export async function blocks(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['blocks and mutes'],
        summary: 'View blocked accounts',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const rows = await listBlocked(ctx, { accountId, page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids: rows.map((row) => row.id) })))
    },
  )
}
