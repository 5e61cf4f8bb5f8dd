import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { listMuted } from '../../../../domain/relationships/mutes/list-muted.ts'
import { MutedAccount } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderMutedAccounts } from '../../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/mutes */
export async function mutes(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['blocks and mutes'],
        summary: 'View muted accounts',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(MutedAccount)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const rows = await listMuted(ctx, { accountId, page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      const muted = rows.map((row) => ({ id: row.id, expiresAt: row.expires_at }))
      return sendJson(reply, listJson(await ctx.read(renderMutedAccounts, { muted })))
    },
  )
}
