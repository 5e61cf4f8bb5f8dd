import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { listEndorsed } from '../../../../domain/relationships/endorsements/list-endorsed.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { sendAccounts } from '../../../support/response/send-accounts.ts'

/** The largest PostgreSQL integer. */
const NO_LIMIT = 2_147_483_647

/** Mastodon: GET /api/v1/endorsements */
export async function endorsements(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    {
      schema: {
        tags: ['accounts'],
        summary: 'View the accounts that you feature on your profile',
        description: '`limit=0` returns all of them at once.',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const requestedPage = readPage(request.query, ACCOUNT_PAGE)
      const isUnpaged = request.query.limit === 0
      const page = isUnpaged ? { limit: NO_LIMIT } : requestedPage
      const rows = await listEndorsed(ctx, { accountId, viewerId: accountId, page })
      if (!isUnpaged)
        setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return ctx.read(sendAccounts, { reply, ids: rows.map((row) => row.id) })
    },
  )
}
