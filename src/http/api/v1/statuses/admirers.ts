import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { readBoosters, readFavouriters } from '../../../../domain/statuses/admirers.ts'
import { Account } from '../../../../entities/account.ts'
import { ref } from '../../../../entities/ref.ts'
import { listJson } from '../../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import type { Api } from '../../../api.ts'
import { linkPages, PAGING, readPage } from '../../../support/paginate.ts'
import { ById } from '../../../support/params.ts'
import { sendJson } from '../../../support/send.ts'

/** Who boosted and favourited a status. */
export async function statusAdmirers(api: Api, ctx: Ctx): Promise<void> {
  for (const [path, read, summary] of [
    ['/:id/reblogged_by', readBoosters, 'See who boosted a status'],
    ['/:id/favourited_by', readFavouriters, 'See who favourited a status'],
  ] as const) {
    api.get(
      path,
      {
        schema: {
          tags: ['statuses'],
          summary,
          params: ById,
          querystring: Type.Object(PAGING),
          response: { 200: Type.Array(ref(Account)) },
        },
      },
      async (request, reply) => {
        const viewerId = request.viewer?.accountId ?? null
        const page = readPage(request.query, ACCOUNT_PAGE)
        const rows = await read(ctx, { statusId: request.params.id, viewerId, page })
        linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
        return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids: rows.map((row) => row.id) })))
      },
    )
  }
}
