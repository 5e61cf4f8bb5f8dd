import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { listRebloggedBy, listFavouritedBy } from '../../../../domain/statuses/read/list-favourited-by.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/statuses/:id/{reblogged_by,favourited_by} */
export async function rebloggedByAndFavouritedBy(api: TypedFastify, ctx: Ctx): Promise<void> {
  for (const [path, list, summary] of [
    ['/:id/reblogged_by', listRebloggedBy, 'View who boosted a status'],
    ['/:id/favourited_by', listFavouritedBy, 'View who favourited a status'],
  ] as const) {
    api.get(
      path,
      {
        schema: {
          tags: ['statuses'],
          summary,
          params: IdParams,
          querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
          response: { 200: Type.Array(ref(Account)) },
        },
      },
      async (request, reply) => {
        const viewerId = request.viewer?.accountId ?? null
        const page = readPage(request.query, ACCOUNT_PAGE)
        const rows = await list(ctx, { statusId: request.params.id, viewerId, page })
        setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
        return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids: rows.map((row) => row.id) })))
      },
    )
  }
}
