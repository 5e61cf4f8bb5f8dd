import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { changeQuotePolicy } from '../../../../domain/quotes/change-quote-policy.ts'
import { listQuotes } from '../../../../domain/statuses/read/list-quotes.ts'
import { revokeQuote } from '../../../../domain/quotes/revoke-quote.ts'
import { QuotePolicy } from '../../../../entities/statuses/approval.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status } from '../../../../entities/statuses/status.ts'
import { STATUS_PAGE } from '../../../../lib/page.ts'
import { renderStatus, renderStatusPage } from '../../../../render/statuses/render-statuses.ts'
import type { TypedFastify, ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { setLinkHeader, CURSOR_PAGINATION_PARAMS, readPage } from '../../../support/pagination/cursor-pagination.ts'
import { IdParams, PathId } from '../../../support/request/path-params.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/statuses/:id/quotes */
export function quotesOfStatus(api: ReadApi): void {
  api.get(
    '/:id/quotes',
    {
      schema: {
        tags: ['statuses'],
        summary: 'View the quotes of a status',
        params: IdParams,
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(Status)) },
      },
    },
    async (read, request, reply) => {
      const { accountId: viewerId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const rows = await listQuotes(read, { statusId: request.params.id, viewerId, page })
      setLinkHeader(read, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      const ids = rows.map((row) => row.id)
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )
}

/** Mastodon: POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke, PUT /api/v1/statuses/:id/interaction_policy */
export async function statusQuotes(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['statuses']

  api.post(
    '/:id/quotes/:quoting_status_id/revoke',
    {
      schema: {
        tags,
        summary: 'Revoke a quote of a status',
        params: Type.Object({ id: PathId, quoting_status_id: PathId }),
        response: { 200: ref(Status) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id: statusId, quoting_status_id: quotingId } = request.params
      const id = await ctx.write((tx) => revokeQuote(tx, { accountId, statusId, quotingId }))
      return sendJson(reply, await ctx.read(renderStatus, { id, viewerId: accountId }))
    },
  )

  api.put(
    '/:id/interaction_policy',
    {
      schema: {
        tags,
        summary: 'Edit who may quote a status',
        params: IdParams,
        body: Type.Object({
          quote_approval_policy: Type.Optional(
            Type.With(QuotePolicy, { description: 'Defaults to your default for new posts.' }),
          ),
        }),
        response: { 200: ref(Status) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const { quote_approval_policy: policy } = request.body
      await ctx.write((tx) => changeQuotePolicy(tx, { accountId, statusId: id, policy }))
      return sendJson(reply, await ctx.read(renderStatus, { id, viewerId: accountId }))
    },
  )
}
