import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { changeQuotePolicy } from '../../../../domain/quotes/change-policy.ts'
import { readQuotes } from '../../../../domain/quotes/list.ts'
import { revokeQuote } from '../../../../domain/quotes/revoke.ts'
import { QuotePolicy } from '../../../../entities/approval.ts'
import { ref } from '../../../../entities/ref.ts'
import { Status } from '../../../../entities/status.ts'
import { STATUS_PAGE } from '../../../../lib/page.ts'
import { renderStatus, renderStatusPage } from '../../../../render/statuses/render-statuses.ts'
import type { Api, ReadApi } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { linkPages, PAGING, readPage } from '../../../support/paginate.ts'
import { ById, PathId } from '../../../support/params.ts'
import { sendJson } from '../../../support/send.ts'

/** The statuses that quote one. */
export function quotesOfStatus(api: ReadApi): void {
  api.get(
    '/:id/quotes',
    {
      schema: {
        tags: ['statuses'],
        summary: 'See the statuses that quote one',
        params: ById,
        querystring: Type.Object(PAGING),
        response: { 200: Type.Array(ref(Status)) },
      },
    },
    async (read, request, reply) => {
      const { accountId: viewerId } = viewerOf(request)
      const page = readPage(request.query, STATUS_PAGE)
      const rows = await readQuotes(read, { statusId: request.params.id, viewerId, page })
      linkPages(read, { request, reply, cursors: rows.map((row) => row.cursor), page, style: 'list' })
      const ids = rows.map((row) => row.id)
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )
}

/** Who may quote a status. */
export async function statusQuotes(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['statuses']

  api.post(
    '/:id/quotes/:quoting_status_id/revoke',
    {
      schema: {
        tags,
        summary: 'Withdraw from being quoted by a status',
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
        summary: 'Say who may quote a status',
        params: ById,
        body: Type.Object({
          quote_approval_policy: Type.Optional(
            Type.With(QuotePolicy, { description: 'Left out: as for what is posted anew.' }),
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
