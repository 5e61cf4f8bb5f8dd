import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import {
  authorizeFollowRequest,
  listFollowRequests,
  rejectFollowRequest,
} from '../../../../domain/relationships/follows/follow-requests.ts'
import { Account } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { listJson } from '../../../../lib/json/entity-json.ts'
import { ACCOUNT_PAGE } from '../../../../lib/page.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import {
  RELATIONSHIP_PARAMS,
  RelationshipResponse,
  renderRelationship,
} from '../../../support/response/render-relationship.ts'
import { sendJson } from '../../../support/response/send.ts'

/**
 * Mastodon: GET /api/v1/follow_requests, POST /api/v1/follow_requests/:id/{authorize,reject}. A follow request is
 * identified by the id of the account that asks to follow.
 */
export async function followRequests(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['follow requests']

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View pending follow requests',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Account)) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const page = readPage(request.query, ACCOUNT_PAGE)
      const rows = await listFollowRequests(ctx, { accountId, page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      return sendJson(reply, listJson(await ctx.read(renderAccounts, { ids: rows.map((row) => row.id) })))
    },
  )

  for (const [path, operation, summary] of [
    ['/:id/authorize', authorizeFollowRequest, 'Accept a follow request'],
    ['/:id/reject', rejectFollowRequest, 'Reject a follow request'],
  ] as const) {
    api.post(
      path,
      {
        schema: {
          tags,
          summary,
          params: IdParams,
          querystring: Type.Object(RELATIONSHIP_PARAMS),
          response: { 200: RelationshipResponse },
        },
      },
      async (request) => {
        const { accountId } = viewerOf(request)
        const { id } = request.params
        await ctx.write((tx) => operation(tx, { accountId, requesterId: id }))
        return renderRelationship(ctx, { id, viewerId: accountId, query: request.query })
      },
    )
  }
}
