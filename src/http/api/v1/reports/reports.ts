import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { createReport, MAX_COMMENT_CHARACTERS } from '../../../../domain/reports/create-report.ts'
import { Id } from '../../../../entities/schema/id.ts'
import { oneOf } from '../../../../entities/schema/one-of.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Report } from '../../../../entities/instance/report.ts'
import { renderReport } from '../../../../render/reports/render-reports.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { countAction } from '../../../support/rate-limits/rate-limits.ts'
import { sendJson } from '../../../support/response/send.ts'
import { THROTTLES } from '../../../support/rate-limits/throttles.ts'

const NewReport = Type.Object({
  account_id: Id,
  status_ids: Type.Optional(
    Type.Array(Id, { description: 'Statuses of the account that you can see; 404 for any other.' }),
  ),
  collection_ids: Type.Optional(Type.Array(Id)),
  comment: Type.Optional(Type.String({ description: `Up to ${MAX_COMMENT_CHARACTERS} characters.` })),
  forward: Type.Optional(
    Type.Boolean({ description: "Also forward the report to the account's server, without naming the reporter." }),
  ),
  forward_to_domains: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The servers to forward to: that of the account, or of accounts that it replied to.',
    }),
  ),
  category: Type.Optional(oneOf(['spam', 'legal', 'violation', 'other'])),
  rule_ids: Type.Optional(
    Type.Array(Id, { description: 'Sets the category to `violation`; 422 for an unknown rule.' }),
  ),
})

/** Mastodon: POST /api/v1/reports */
export async function reports(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['reports'],
        summary: 'File a report',
        body: NewReport,
        response: { 200: ref(Report) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { body } = request
      const id = await countAction(ctx, { request, reply, throttle: THROTTLES.reports, accountId }, () =>
        ctx.write((tx) =>
          createReport(tx, {
            accountId,
            targetAccountId: body.account_id,
            statusIds: body.status_ids ?? [],
            collectionIds: body.collection_ids ?? [],
            ruleIds: body.rule_ids ?? [],
            comment: body.comment ?? '',
            category: body.category,
            forward: body.forward ?? false,
            forwardToDomains: body.forward_to_domains,
          }),
        ),
      )
      return sendJson(reply, await ctx.read(renderReport, { id }))
    },
  )
}
