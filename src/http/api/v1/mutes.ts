import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readMuted } from '../../../domain/relationships/muted.ts'
import { MutedAccount } from '../../../entities/account.ts'
import { ref } from '../../../entities/ref.ts'
import { listJson } from '../../../lib/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../lib/page.ts'
import { renderMutedAccounts } from '../../../render/accounts/render-accounts.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../support/paginate.ts'
import { sendJson } from '../../support/send.ts'

/** Those whom the viewer mutes. */
export async function mutes(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['blocks and mutes'],
        summary: 'See whom I mute',
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(MutedAccount)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const rows = await readMuted(ctx, { accountId, page })
      linkPages(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      const muted = rows.map((row) => ({ id: row.id, expiresAt: row.expires_at }))
      return sendJson(reply, listJson(await ctx.read(renderMutedAccounts, { muted })))
    },
  )
}
