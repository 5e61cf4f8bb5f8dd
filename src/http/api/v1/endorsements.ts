import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readEndorsed } from '../../../domain/relationships/endorsed.ts'
import { Account } from '../../../entities/account.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderAccounts } from '../../../render/accounts/render-accounts.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

/** More than anybody follows. */
const EVERYBODY = 2_147_483_647

/** Those whom the viewer recommends. */
export async function endorsements(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'See whom I recommend',
        description: '`limit=0` gives all of them at once.',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const asked = readPage(request.query, ACCOUNT_PAGE)
      const isWhole = request.query.limit === 0
      const page = isWhole ? { limit: EVERYBODY } : asked
      const rows = await readEndorsed(ctx, { accountId, viewerId: accountId, page })
      if (!isWhole) linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids: rows.map((row) => row.id) })))
    },
  )
}
