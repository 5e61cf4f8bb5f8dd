import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readBlocked } from '../../../domain/relationships/blocked.ts'
import { Account } from '../../../entities/account.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderAccounts } from '../../../render/accounts/render-accounts.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

/** Those whom the viewer blocks. */
export async function blocks(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['blocks and mutes'],
        summary: 'See whom I block',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const rows = await readBlocked(ctx, { accountId, page })
      linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids: rows.map((row) => row.id) })))
    },
  )
}
